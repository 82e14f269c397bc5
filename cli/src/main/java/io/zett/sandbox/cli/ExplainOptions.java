package io.zett.sandbox.cli;

import picocli.CommandLine.Model.CommandSpec;

/** {@code zett policy} and its commands, as they are typed and explained. */
final class ExplainOptions {
  private static final String[] FOOTER = {
    "",
    "Options end at the first PATH, or at --. No command is run. That a file's own permissions",
    "hold as well is not looked at.",
    "",
    "Example:",
    "  zett policy explain --policy sandbox.yaml --workspace . src ~/.ssh /tmp",
    "",
    "Exit status: 0; 125 if no sandbox could be built here; 2 for wrong usage."
  };

  private ExplainOptions() {}

  static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage()
        .sortOptions(false)
        .customSynopsis("zett policy COMMAND [OPTIONS]")
        .header("Explains a policy, or prints the JSON schema of policy files.", "")
        .optionListHeading("%nOptions:%n")
        .commandListHeading("%nCommands:%n")
        .footer("", "More about one command: zett help policy COMMAND");
    return spec.addSubcommand("explain", explain())
        .addSubcommand("schema", schema())
        .addOption(Commands.helpOption());
  }

  private static CommandSpec explain() {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage()
        .sortOptions(false)
        .customSynopsis("zett policy explain [OPTIONS] [--] PATH...")
        .header("Says of each path what a command could do there, and which rule decides so.", "")
        .optionListHeading("%nOptions:%n")
        .footer(FOOTER);
    spec.addOption(RunOptions.workspace(RunOptions.WORKSPACE))
        .addOption(RunOptions.policyFile(RunOptions.POLICY_FILE));
    PolicyOption.onFiles().forEach(option -> spec.addOption(RunOptions.of(option)));
    return spec.addOption(RunOptions.flag("--json", "Prints one JSON object."))
        .addOption(Commands.helpOption())
        .addPositional(Commands.words("PATH..."));
  }

  private static CommandSpec schema() {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage()
        .sortOptions(false)
        .customSynopsis("zett policy schema")
        .header("Prints the JSON schema of policy files, for editors.", "")
        .optionListHeading("%nOptions:%n");
    return spec.addOption(Commands.helpOption());
  }
}
