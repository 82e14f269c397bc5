package io.zett.sandbox.cli;

import io.zett.sandbox.engine.CallerEnvironment;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** From the words of a command line to an exit status. */
final class Zett {
  private final Streams streams;
  private final SessionServer server;

  Zett(Streams streams, SessionServer server) {
    this.streams = streams;
    this.server = server;
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
    String name = command.commandSpec().name();
    if (command.isUsageHelpRequested()) {
      return print(Commands.help(command.commandSpec().commandLine()));
    }
    return switch (name) {
      case "run" ->
          RunCommand.run(
              RunRequest.of(new ParsedOptions(command), CallerEnvironment.get()::value), streams);
      case "mcp" ->
          McpCommand.run(
              McpRequest.of(new ParsedOptions(command), CallerEnvironment.get()::value),
              server,
              streams);
      case "doctor" -> DoctorCommand.run(command.hasMatchedOption("--json"), streams);
      case "completion" -> print(Completion.script(command.matchedPositionalValue(0, "")));
      case "man" -> print(ManPage.of(Commands.all().getCommandSpec()));
      case "help" -> help(line, command.matchedPositionalValue(0, ""));
      default -> throw new IllegalStateException(name);
    };
  }

  private int help(CommandLine line, String name) {
    if (name.isEmpty()) {
      return print(Commands.help(line));
    }
    CommandLine about = line.getSubcommands().get(name);
    if (about == null) {
      throw new UsageException(
          "there is no command \"" + name + "\"",
          "commands: " + String.join(", ", line.getSubcommands().keySet()));
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
