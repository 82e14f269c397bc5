package io.zett.sandbox.cases.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.zett.sandbox.SandboxFileException;
import io.zett.sandbox.SandboxFileException.Reason;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What is expected when a file is refused. */
final class Refusals {
  private Refusals() {}

  /** The message has the path and these words. */
  static void assertRefused(ThrowingCallable call, String path, Reason reason, String... words) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).isInstanceOf(SandboxFileException.class).hasMessageStartingWith(path + ": ");
    assertThat(thrown).hasMessageContainingAll(words);
    assertThat(((SandboxFileException) thrown).reason()).isEqualTo(reason);
    assertThat(((SandboxFileException) thrown).path()).isEqualTo(path);
  }
}
