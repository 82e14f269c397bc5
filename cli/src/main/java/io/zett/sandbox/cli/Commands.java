package io.zett.sandbox.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The command line as a model: parsing, help, completion and the manual page all come from it. It
 * is built by calls, not by annotations, and only as far as one invocation needs it: reflection
 * costs more than the whole of a short command.
 */
final class Commands {
  static final String EXAMPLE = "zett run --workspace . -- make";

  /** Where each help text begins: a private, empty workspace is what people trip over first. */
  static final String EXAMPLE_LINE =
      EXAMPLE + "     runs make here; only this directory can be written%n%n";

  private static final Map<String, Supplier<CommandSpec>> SUBCOMMANDS = subcommands();

  static {
    // All values stay text here: picocli need not look for classes of Groovy, SQL and time.
    System.setProperty("picocli.disable.closures", "true");
    System.setProperty("picocli.converters.excludes", "java\\.(sql|time|nio)\\..*");
  }

  private Commands() {}

  /** The model with one subcommand, or with all if the word names none. */
  static CommandLine lineFor(@Nullable String word) {
    CommandSpec root = root();
    Supplier<CommandSpec> one = word == null ? null : SUBCOMMANDS.get(word);
    if (one == null || word == null || word.equals("help")) {
      SUBCOMMANDS.forEach((name, spec) -> root.addSubcommand(name, spec.get()));
    } else {
      root.addSubcommand(word, one.get());
    }
    // The words of other commands are a program's, whose options are its own.
    return configured(root).setStopAtPositional(!"batch".equals(word));
  }

  static CommandLine all() {
    return lineFor(null);
  }

  private static CommandLine configured(CommandSpec root) {
    return new CommandLine(root)
        .setExpandAtFiles(false)
        .setInterpolateVariables(false)
        .setTrimQuotes(false)
        .setPosixClusteredShortOptionsAllowed(false)
        .setAllowOptionsAsOptionParameters(true)
        .setAllowSubcommandsAsOptionParameters(true)
        .setOverwrittenOptionsAllowed(true)
        .setUsageHelpWidth(90)
        .setUsageHelpLongOptionsMaxWidth(27);
  }

  private static Map<String, Supplier<CommandSpec>> subcommands() {
    Map<String, Supplier<CommandSpec>> specs = new LinkedHashMap<>();
    specs.put("run", RunOptions::spec);
    specs.put("doctor", Commands::doctor);
    specs.put("batch", BatchOptions::spec);
    specs.put("policy", ExplainOptions::spec);
    specs.put("mcp", McpOptions::spec);
    specs.put("completion", Commands::completion);
    specs.put("man", Commands::man);
    specs.put("help", Commands::help);
    return specs;
  }

  private static CommandSpec root() {
    CommandSpec spec = CommandSpec.create().name("zett");
    spec.usageMessage()
        .headerHeading(EXAMPLE_LINE)
        .header("Runs commands in a sandbox.", "")
        .customSynopsis("zett COMMAND [OPTIONS]")
        .optionListHeading("%nOptions:%n")
        .commandListHeading("%nCommands:%n")
        .footer("", "More about one command: zett help COMMAND");
    return spec.addOption(helpOption())
        .addOption(
            OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .arity("0")
                .description("Prints the version.")
                .build());
  }

  /** The help text of a command, its values set apart as the examples have them. */
  static String help(CommandLine command) {
    // Only for printing: while parsing, it has to be the = of --name=value.
    command.getCommandSpec().parser().separator(" ");
    return command.getUsageMessage();
  }

  static OptionSpec helpOption() {
    return OptionSpec.builder("-h", "--help")
        .usageHelp(true)
        .arity("0")
        .description("Prints this text.")
        .build();
  }

  private static CommandSpec doctor() {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage()
        .sortOptions(false)
        .customSynopsis("zett doctor [--json] [--policy FILE]")
        .header("Says what works on this machine, and how to mend what does not.", "")
        .optionListHeading("%nOptions:%n")
        .footer("", "Exit status: 0 if commands can be isolated here, else 1.");
    return spec.addOption(
            OptionSpec.builder("--json").arity("0").description("Prints one JSON object.").build())
        .addOption(RunOptions.policyFile("Tries the policy of a YAML or JSON file."))
        .addOption(helpOption());
  }

  private static CommandSpec completion() {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage()
        .sortOptions(false)
        .customSynopsis("zett completion bash|zsh")
        .header("Prints a script that completes the words of this command.", "")
        .optionListHeading("%nOptions:%n")
        .footer("", "In ~/.bashrc: eval \"$(zett completion bash)\"");
    return spec.addPositional(word("bash|zsh")).addOption(helpOption());
  }

  private static CommandSpec man() {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage()
        .sortOptions(false)
        .customSynopsis("zett man")
        .header("Prints the manual page.", "")
        .optionListHeading("%nOptions:%n")
        .footer("", "To read it: zett man | man -l -");
    return spec.addOption(helpOption());
  }

  private static CommandSpec help() {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage()
        .sortOptions(false)
        .customSynopsis("zett help [COMMAND]...")
        .header("Prints help about a command.", "")
        .optionListHeading("%nOptions:%n");
    return spec.addPositional(words("COMMAND")).addOption(helpOption());
  }

  /** Any number of words. */
  static PositionalParamSpec words(String label) {
    return PositionalParamSpec.builder()
        .index("0..*")
        .arity("0..*")
        .paramLabel(label)
        .hideParamSyntax(true)
        .hidden(true)
        .type(List.class)
        .auxiliaryTypes(String.class)
        .build();
  }

  private static PositionalParamSpec word(String label) {
    return PositionalParamSpec.builder()
        .index("0")
        .arity("0..1")
        .paramLabel(label)
        .hideParamSyntax(true)
        .hidden(true)
        .type(String.class)
        .build();
  }
}
