package io.zett.sandbox.cli;

import io.zett.sandbox.engine.CallerEnvironment;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** From the words of a command line to an exit status. */
final class Zett {
  private final Streams streams;
  private final SessionServer server;
  private final BatchEngine engine;

  Zett(Streams streams, SessionServer server, BatchEngine engine) {
    this.streams = streams;
    this.server = server;
    this.engine = engine;
  }

  int run(String[] args) {
    try {
      return run(RawArguments.of(args));
    } catch (UsageException e) {
      streams.say(e.getMessage());
      return ExitStatus.USAGE;
    }
  }

  int run(List<String> words) {
    CommandLine line = Commands.lineFor(words.isEmpty() ? null : words.getFirst());
    try {
      ParseResult parsed = line.parseArgs(words.toArray(String[]::new));
      return perform(line, parsed);
    } catch (ParameterException e) {
      return refuse(WrongUsage.of(e), words);
    } catch (UsageException e) {
      return refuse(e, words);
    }
  }

  private int perform(CommandLine line, ParseResult parsed) {
    if (parsed.isVersionHelpRequested()) {
      return print("zett " + Version.text() + System.lineSeparator());
    }
    if (!parsed.hasSubcommand()) {
      if (parsed.isUsageHelpRequested()) {
        return print(Commands.help(line));
      }
      streams.err().print(Commands.help(line));
      return ExitStatus.USAGE;
    }
    ParseResult command = parsed.subcommand();
    while (command.hasSubcommand() && !command.isUsageHelpRequested()) {
      command = command.subcommand();
    }
    CommandLine about = command.commandSpec().commandLine();
    if (command.isUsageHelpRequested()) {
      return print(Commands.help(about));
    }
    return perform(line, command, command.commandSpec().name());
  }

  private int perform(CommandLine line, ParseResult command, String name) {
    return switch (name) {
      case "run" -> RunCommand.run(RunRequest.of(command, CallerEnvironment.get()::value), streams);
      case "doctor" ->
          DoctorCommand.run(
              PolicyArguments.fileAlone(command, CallerEnvironment.get()::value),
              command.hasMatchedOption("--json"),
              streams);
      case "batch" -> BatchCommand.run(command, CallerEnvironment.get()::value, engine, streams);
      case "policy" -> {
        streams.err().print(Commands.help(command.commandSpec().commandLine()));
        yield ExitStatus.USAGE;
      }
      case "explain" -> PolicyCommand.explain(command, CallerEnvironment.get()::value, streams);
      case "schema" -> print(LoadedPolicy.schema());
      case "mcp" ->
          McpCommand.run(McpRequest.of(command, CallerEnvironment.get()::value), server, streams);
      case "completion" -> print(Completion.script(command.matchedPositionalValue(0, "")));
      case "man" -> print(ManPage.of(Commands.all().getCommandSpec()));
      case "help" -> help(line, command.matchedPositionalValue(0, List.of()));
      default -> throw new IllegalStateException(name);
    };
  }

  private int help(CommandLine line, List<String> names) {
    CommandLine about = line;
    for (String name : names) {
      Map<String, CommandLine> commands = about.getSubcommands();
      about = commands.get(name);
      if (about == null) {
        throw new UsageException(
            "there is no command \"" + String.join(" ", names) + "\"",
            commands.isEmpty() ? null : "commands: " + String.join(", ", commands.keySet()));
      }
    }
    return print(Commands.help(about));
  }

  private int refuse(UsageException problem, List<String> words) {
    Failure failure = Failure.of(problem);
    if (WrongUsage.wantsJson(words)) {
      return RunCommand.fail(failure, streams);
    }
    failure.tell(streams);
    return failure.kind().exitStatus();
  }

  private int print(String text) {
    PrintStream out = streams.text();
    out.print(text);
    out.flush();
    return ExitStatus.OK;
  }
}
