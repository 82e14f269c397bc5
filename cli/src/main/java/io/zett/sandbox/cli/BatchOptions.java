package io.zett.sandbox.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** The options of {@code zett batch} as they are typed and explained. */
final class BatchOptions {
  private static final String[] FOOTER = {
    "",
    "Each line of JOBS is a JSON object: \"id\" and \"command\" (a shell text, or a list of",
    "words), and if wanted \"files\", \"input\", \"cwd\", \"env\", \"timeout\", \"memory\",",
    "\"cpuSeconds\", \"maxOutputBytes\" and \"collect\" (paths of files to be given back).",
    "Each line of RESULTS is the object of zett run --json with \"id\" before it, and \"files\"",
    "and \"fileErrors\" after it, in the order in which the jobs end. A - is standard input",
    "or output.",
    "",
    "Every job has a private workspace of its own. Options are for jobs that say nothing",
    "else; a job has 60 seconds unless a time is given. With --master each result has",
    "\"host\" at its end, and a path of an option means that of each executor's machine.",
    "",
    "Example:",
    "  zett batch jobs.jsonl -o results.jsonl --memory 256MB --resume",
    "  zett batch jobs.jsonl -o results.jsonl --master spark://host:7077",
    "",
    "Exit status: 0 if every job has a result, whatever it is; 125 if no job could be run,",
    "or the results not be written; 2 for wrong usage, lines that are no jobs included;",
    "128+n after signal n. --resume goes on where a batch has ended."
  };

  private BatchOptions() {}

  static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage()
        .sortOptions(false)
        .customSynopsis("zett batch [OPTIONS] [-o RESULTS] JOBS")
        .header("Runs many programs from JSON Lines, and gives a result for each.", "")
        .optionListHeading("%nOptions:%n")
        .footer(FOOTER);
    spec.addOption(
        RunOptions.option(
            "-o", "RESULTS", true, List.of(), "Where the results go. Default: standard output."));
    spec.addOption(
        RunOptions.flag(
            "--resume", "Leaves out the jobs that RESULTS has already, and adds to it."));
    spec.addOption(
        RunOptions.option(
            "--parallel",
            "N",
            false,
            List.of(),
            "How many jobs run at once. Default: as many as there are processors."));
    spec.addOption(
        RunOptions.option(
            "--master",
            "URL",
            false,
            List.of("local[*]"),
            "Runs the jobs on Apache Spark: local[*], local[N] or spark://HOST:PORT."));
    spec.addOption(RunOptions.env("A variable for every job; K alone passes yours on."));
    spec.addOption(RunOptions.policyFile("Takes options from a YAML or JSON file."));
    for (PolicyOption option : PolicyOption.ALL) {
      spec.addOption(RunOptions.of(option));
    }
    spec.addOption(RunOptions.maxOutputBytes("How much of each stream of a job is kept."));
    return spec.addOption(Commands.helpOption()).addPositional(Commands.words("JOBS"));
  }
}
