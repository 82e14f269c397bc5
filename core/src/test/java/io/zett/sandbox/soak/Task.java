package io.zett.sandbox.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A command and what its end must be like, if nobody cancels it.
 *
 * @param name what it does, for people
 * @param isHostile whether it does what nobody wishes for
 * @param ends the ends that are right
 * @param stdout what it writes when it is left alone
 * @param stderr the same; null for what nobody knows beforehand
 * @param done a file in the workspace that says that it has written everything; null where its exit
 *     says so
 */
record Task(
    String name,
    boolean isHostile,
    SandboxCommand command,
    Predicate<Outcome> ends,
    Written stdout,
    @Nullable Written stderr,
    @Nullable Path done) {

  /** Checks the end of a command that nobody cancelled. */
  void verify(SandboxResult result, Path workspace) {
    assertThat(result.outcome()).as(this::toString).matches(ends, "the right end");
    boolean whole =
        done == null
            ? result.outcome() instanceof Outcome.Exited
            : Files.exists(workspace.resolve(done));
    if (whole) {
      long cap = command.maxOutputBytes();
      stdout.verifyWhole("stdout", result.stdoutBytes(), result.stdoutTotalBytes(), cap);
      if (stderr != null) {
        stderr.verifyWhole("stderr", result.stderrBytes(), result.stderrTotalBytes(), cap);
      }
    } else {
      verifyPart(result);
    }
    if (result.outcome() instanceof Outcome.TimedOut(var limit)) {
      assertThat(result.usage().wall()).isGreaterThanOrEqualTo(limit);
    }
  }

  /** Checks what a command had written when it was cancelled. */
  void verifyPart(SandboxResult result) {
    stdout.verifyPart("stdout", result.stdoutBytes(), result.stdoutTotalBytes());
    if (stderr != null) {
      stderr.verifyPart("stderr", result.stderrBytes(), result.stderrTotalBytes());
    }
  }

  @Override
  public String toString() {
    return name + ": " + command.shellText().orElse("") + " " + command.timeout().orElse(null);
  }
}
