package io.zett.sandbox.cli;

import io.zett.sandbox.PathExplanation;
import io.zett.sandbox.PathExplanation.Reason;
import io.zett.sandbox.SandboxException;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.ParseResult;

/** {@code zett policy explain}: what a command could do with paths, and which rule decides so. */
final class PolicyCommand {
  private final PolicyArguments arguments;
  private final Path workspace;

  private PolicyCommand(PolicyArguments arguments, Path workspace) {
    this.arguments = arguments;
    this.workspace = workspace;
  }

  static int explain(
      ParseResult parsed, Function<String, Optional<String>> hostVariable, Streams streams) {
    List<String> words = parsed.matchedPositionalValue(0, List.of());
    if (words.isEmpty()) {
      throw new UsageException(
          "no path is given", "example: zett policy explain --workspace . src");
    }
    PolicyArguments arguments = PolicyArguments.of(parsed, hostVariable);
    Path[] paths =
        words.stream().map(word -> PolicyArguments.path("PATH", word)).toArray(Path[]::new);
    Path given = PolicyArguments.workspace(parsed);
    try (SandboxSession open = PolicyArguments.session(arguments.policy(), given).open()) {
      List<PathExplanation> said = open.sandbox().explain(paths);
      PolicyCommand command = new PolicyCommand(arguments, open.workspace());
      if (parsed.hasMatchedOption("--json")) {
        command.write(said, given == null, streams);
      } else {
        command.print(said, words, streams.text());
      }
      return ExitStatus.OK;
    } catch (IOException e) {
      streams.say("standard output: " + e.getMessage());
      return ExitStatus.UNUSABLE;
    } catch (SandboxException | IllegalArgumentException e) {
      Failure failure = Failure.of(e);
      failure.tell(streams);
      return failure.kind().exitStatus();
    }
  }

  private void print(List<PathExplanation> said, List<String> words, PrintStream out) {
    for (int i = 0; i < words.size(); i++) {
      PathExplanation one = said.get(i);
      String leads = one.real().equals(one.path().normalize()) ? "" : " -> " + one.real();
      out.println(words.get(i) + leads + ": " + one.outcome() + " (" + because(one) + ")");
    }
    out.flush();
  }

  private String because(PathExplanation said) {
    LoadedPolicy file = arguments.file();
    Optional<String> place = place(said);
    if (place.isPresent()) {
      return option(said.reason()).orElseThrow() + " in " + place.get();
    }
    if (file != null
        && said.reason() == Reason.DENY_WRITE
        && said.rule().filter(file::isItself).isPresent()) {
      return "no command can write its own policy";
    }
    return typed(said).orElseGet(said::because);
  }

  private Optional<String> place(PathExplanation said) {
    LoadedPolicy file = arguments.file();
    return file == null
        ? Optional.empty()
        : option(said.reason())
            .flatMap(option -> said.rule().flatMap(rule -> file.place(option, rule)));
  }

  /** A rule of the command line as it is typed there. */
  private static Optional<String> typed(PathExplanation said) {
    return option(said.reason())
        .flatMap(
            option ->
                said.rule()
                    .map(rule -> "--" + option.replace("W", "-w").replace("R", "-r") + " " + rule));
  }

  /** The option behind a reason, as the policy calls it. */
  private static Optional<String> option(Reason reason) {
    return switch (reason) {
      case WRITABLE -> Optional.of("writable");
      case DENY_WRITE -> Optional.of("denyWrite");
      case DENY_READ -> Optional.of("denyRead");
      case ALLOW_READ -> Optional.of("allowRead");
      case WORKSPACE,
          CREDENTIALS,
          DEVELOPER_FILES,
          SOCKET,
          SCRATCH,
          PRIVATE_HOME,
          RUNTIME,
          KERNEL,
          ACCOUNTS,
          SYSTEM,
          DEFAULT,
          UNISOLATED ->
          Optional.empty();
    };
  }

  private void write(List<PathExplanation> said, boolean isPrivate, Streams streams)
      throws IOException {
    JsonObject.print(
        streams.out(),
        json -> {
          JsonObject.text(json, "workspace", isPrivate ? null : workspace.toString());
          var paths = json.startArrayField("paths");
          for (PathExplanation one : said) {
            var object = paths.startObject();
            object.put("path", one.path().toString());
            object.put("real", one.real().toString());
            object.put("access", one.access().wireName());
            object.put("presence", one.presence().wireName());
            object.put("reason", one.reason().wireName());
            JsonObject.text(object, "rule", one.rule().map(Path::toString).orElse(null));
            JsonObject.text(object, "source", place(one).orElse(null));
            object.end();
          }
          paths.end();
        });
  }
}
