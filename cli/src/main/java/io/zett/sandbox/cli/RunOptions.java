package io.zett.sandbox.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options of {@code zett run} as they are typed and explained. */
final class RunOptions {
  /** Values stay as typed; the type of a path only tells completion to offer files. */
  private static final ITypeConverter<String> AS_TYPED = text -> text;

  static final String WORKSPACE =
      "The directory that the command may write and starts in. Default: a private, empty one that"
          + " is deleted at the end.";

  /** What such a file does where options stand beside it. */
  static final String POLICY_FILE =
      "Takes options from a YAML or JSON file, which the command cannot write. What is given here"
          + " wins over it, and is added to its lists.";

  private static final String[] FOOTER = {
    "",
    "Options end at the first word of PROGRAM, or at --.",
    "Everything on this machine can be read, except credentials; nothing but the workspace and",
    "what --writable names can be written. The workspace is a private, empty directory that",
    "disappears, unless --workspace is given. /tmp is private too.",
    "",
    "Examples:",
    "  zett run --workspace . --network -- npm install",
    "  zett run --memory 512MB --timeout 10 -c 'sort | uniq -c' < words.txt",
    "  zett run --json -- python3 -c 'print(6 * 7)'",
    "  zett run --policy sandbox.yaml --workspace . -- make",
    "",
    "Exit status: the command's own; 124 after a timeout; 125 if the sandbox could not run it;",
    "126 or 127 if PROGRAM cannot be executed or is not found; 137 when a limit ended it; 128+n",
    "when signal n did; 2 for wrong usage."
  };

  private RunOptions() {}

  static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage()
        .headerHeading(Commands.EXAMPLE_LINE)
        .header("Runs a program, or a shell string, in a sandbox.", "")
        .customSynopsis(
            "zett run [OPTIONS] [--] PROGRAM [ARG...]",
            "  or:  zett run [OPTIONS] -c 'SHELL STRING'")
        .sortOptions(false)
        .optionListHeading("%nOptions:%n")
        .footer(FOOTER);
    spec.addOption(workspace(WORKSPACE));
    spec.addOption(
        option("--cwd", "DIR", true, List.of(), "Where to start, from the workspace on."));
    spec.addOption(env("A variable for the command; K alone passes yours on. Can be given again."));
    spec.addOption(option("-c", "SHELL STRING", false, List.of(), "Runs /bin/sh -c with it."));
    spec.addOption(policyFile(POLICY_FILE));
    for (PolicyOption option : PolicyOption.ALL) {
      spec.addOption(of(option));
    }
    spec.addOption(
        flag(
            "--json",
            "Prints one JSON object at the end, the output inside it, and nothing else on standard"
                + " output."));
    spec.addOption(maxOutputBytes("With --json: how much of each stream is kept."));
    spec.addOption(flag("--verbose", "Prints backend, workspace and limits on standard error."));
    spec.addOption(Commands.helpOption());
    return spec.addPositional(Commands.words("PROGRAM [ARG...]"));
  }

  static OptionSpec workspace(String text) {
    return option("--workspace", "DIR", true, List.of(), text);
  }

  static OptionSpec env(String text) {
    return option("--env", "K=V|K", false, List.of(), text);
  }

  static OptionSpec maxOutputBytes(String text) {
    return option("--max-output-bytes", "N", false, List.of(), text + " Default: 1048576.");
  }

  static OptionSpec policyFile(String text) {
    return option("--policy", "FILE", true, List.of(), text);
  }

  static OptionSpec of(PolicyOption option) {
    return option.label() == null
        ? flag(option.name(), option.text())
        : option(option.name(), option.label(), option.isPath(), option.words(), option.text());
  }

  static OptionSpec flag(String name, String text) {
    return OptionSpec.builder(name).arity("0").type(boolean.class).description(text).build();
  }

  static OptionSpec option(
      String name, @Nullable String label, boolean isPath, List<String> words, String text) {
    OptionSpec.Builder option =
        OptionSpec.builder(name)
            .arity("1")
            .paramLabel(label)
            .hideParamSyntax(true)
            .type(isPath ? Path.class : String.class)
            .converters(AS_TYPED)
            .description(text);
    return (words.isEmpty() ? option : option.completionCandidates(words)).build();
  }
}
