package io.zett.sandbox.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** The options of {@code zett mcp}: those of {@code zett run} that a session has. */
final class McpOptions {
  static final String PROTECT = "--protect-developer-files";
  static final String NO_PROTECT = "--no-protect-developer-files";

  private static final PolicyOption TIMEOUT =
      new PolicyOption(
          "--timeout",
          "SECONDS",
          false,
          List.of(),
          "Wall time of a command that the client gives none, such as 2.5; then everything it"
              + " started is ended. Default: 120.",
          (policy, text) -> policy.timeout(seconds(text)));

  private static final PolicyOption WARM =
      new PolicyOption(
          "--warm",
          "N",
          false,
          List.of(),
          "Sandboxes that are started ahead, each for one command, so that it starts sooner."
              + " Default: 0.",
          (policy, text) -> policy.warm(Numbers.small(text)));

  private static final String[] FOOTER = {
    "",
    "An MCP client starts it, such as an editor or an agent; nobody types into it. It has",
    "tools to run commands and to read and write files in one sandbox, which ends with the",
    "connection. What its commands may do is decided here, not by the client.",
    "",
    "Example, for clients that read JSON:",
    "  {\"mcpServers\": {\"sandbox\": {\"command\": \"/path/to/zett\",",
    "    \"args\": [\"mcp\", \"--workspace\", \"/path/to/project\"]}}}",
    "",
    "Exit status: 0 when the client has left; 125 if the sandbox could not be made; 128+n by",
    "signal n; 2 for wrong usage."
  };

  private McpOptions() {}

  /** The policy's, in the order of the help. */
  static List<PolicyOption> policy() {
    List<PolicyOption> options = new ArrayList<>();
    for (PolicyOption option : PolicyOption.ALL) {
      switch (option.name()) {
        case "--timeout" -> {
          options.add(TIMEOUT);
          options.add(WARM);
        }
        case PROTECT -> {}
        default -> options.add(option);
      }
    }
    return options;
  }

  static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage()
        .header("Serves the tools of one sandbox to an MCP client on stdin and stdout.", "")
        .customSynopsis("zett mcp [OPTIONS]")
        .sortOptions(false)
        .optionListHeading("%nOptions:%n")
        .footer(FOOTER);
    spec.addOption(
        RunOptions.workspace(
            "The directory that commands may write and start in. Default: a private, empty one that"
                + " is deleted when the client leaves."));
    spec.addOption(
        RunOptions.env(
            "A variable for each command; K alone passes yours on. Can be given again."));
    spec.addOption(RunOptions.policyFile(RunOptions.POLICY_FILE));
    policy().forEach(option -> spec.addOption(RunOptions.of(option)));
    spec.addOption(
        RunOptions.flag(
            NO_PROTECT,
            "Lets commands write what the host executes or obeys by itself in writable directories:"
                + " git's hooks and configuration, editor tasks, shell start-up files, agents'"
                + " settings."));
    spec.addOption(RunOptions.flag(PROTECT, "Keeps those unwritable, which is the default here."));
    spec.addOption(
        RunOptions.flag("--verbose", "Prints backend, workspace and limits on standard error."));
    return spec.addOption(Commands.helpOption());
  }

  private static java.time.Duration seconds(String text) {
    if (text.equals("none")) {
      throw new IllegalArgumentException(
          "\"none\": whoever waits for a command needs a limit; give seconds (commands in the"
              + " background have none)");
    }
    return Numbers.seconds(text);
  }
}
