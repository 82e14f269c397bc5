package io.zett.sandbox.cli;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What to say when a program was not found but lies where the caller stands: the difference from an
 * unsandboxed run that people meet first is that the workspace is private and empty.
 */
final class NotFoundHint {
  private NotFoundHint() {}

  static Optional<String> of(RunRequest request, SandboxResult result) {
    boolean notFound =
        result.outcome() instanceof Outcome.Exited exited && exited.code() == ExitStatus.NOT_FOUND;
    if (!notFound || request.workspace() != null) {
      return Optional.empty();
    }
    String program = program(request);
    return existsHere(program)
        ? Optional.of(
            program
                + " exists in this directory, but the command ran in a private, empty workspace;"
                + " to run here: zett run --workspace . -- …")
        : Optional.empty();
  }

  /** The first word; of a shell text a guess, good enough for a hint about a file that exists. */
  private static String program(RunRequest request) {
    return request
        .command()
        .shellText()
        .map(text -> text.strip().split("[\\s;&|]", 2)[0])
        .orElseGet(() -> request.command().arguments().getFirst());
  }

  private static boolean existsHere(String program) {
    try {
      return !program.isEmpty() && !program.startsWith("/") && Files.exists(Path.of(program));
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
