package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.faults.InterposedPosix;
import io.zett.sandbox.posix.Posix;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that changes between the look at it and the sandbox that was planned from it. */
class ChangedMeanwhileTest {

  @TempDir private Path temp;
  private final AtomicInteger changesLeft = new AtomicInteger();
  private final AtomicInteger starts = new AtomicInteger();
  private Path workspace = Path.of("/");
  private Engine engine = unopened();

  @SuppressWarnings("NullAway") // Opened before each test.
  private static Engine unopened() {
    return null;
  }

  @BeforeEach
  void open() throws IOException {
    workspace = Files.createDirectories(temp.toRealPath().resolve("w/a")).getParent();
    Files.writeString(workspace.resolve("a/secret"), "SECRET");
    Posix posix =
        InterposedPosix.over(
            Posix.system(),
            call -> {
              if (call.name().equals("spawn")) {
                starts.incrementAndGet();
                if (changesLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                  replaceDirectory();
                }
              }
              return call.proceed();
            });
    SandboxPolicy policy = SandboxPolicy.builder().denyRead(workspace.resolve("a/secret")).build();
    engine = Engine.open(policy, workspace, () -> BackendChoice.make(policy, () -> posix));
    starts.set(0);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private void replaceDirectory() {
    try {
      Files.move(workspace.resolve("a"), workspace.resolve("was" + starts));
      Files.createDirectory(workspace.resolve("a"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void theSandboxIsBuiltAgainAndTheCommandRunsOnce() throws IOException {
    changesLeft.set(1);
    assertThat(engine.run(SandboxCommand.shell("cat >> ran").input("x")).exitCode()).isZero();
    assertThat(Files.readString(workspace.resolve("ran"))).isEqualTo("x");
    assertThat(starts.get()).isBetween(2, 3);
  }

  @Test
  void itsInputAndItsOutputAreWhole() {
    byte[] input = "0123456789".repeat(1000).getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < 20; i++) {
      changesLeft.set(1);
      SandboxResult result = engine.run(SandboxCommand.shell("tee /dev/fd/2").input(input));
      assertThat(result.stdoutBytes()).isEqualTo(input);
      assertThat(result.stderrBytes()).isEqualTo(input);
    }
    // Two each, and one more where the look that is taken meanwhile was quicker than the change.
    assertThat(starts.get()).isBetween(40, 60);
  }

  @Test
  void whatChangesEachTimeIsToldInTheEnd() {
    changesLeft.set(100);
    assertThatThrownBy(() -> engine.run(SandboxCommand.of("touch", "ran")))
        .isInstanceOf(SandboxSetupException.class)
        .hasMessageContaining("replaced");
    // One more if the look that is taken meanwhile was quicker than the first.
    assertThat(starts.get()).isBetween(3, 4);
    assertThat(workspace.resolve("ran")).doesNotExist();
  }

  @Test
  void aStreamThatWasReadIsNotGivenToASecondSandbox() {
    InputStream input =
        new ByteArrayInputStream(new byte[1]) {
          @Override
          public int read(byte[] to, int offset, int length) {
            if (available() > 0) {
              replaceDirectory();
            }
            return super.read(to, offset, length);
          }
        };
    assertThatThrownBy(() -> engine.run(SandboxCommand.of("cat").input(input)))
        .isInstanceOfAny(SandboxSetupException.class, SandboxCanceledException.class);
    assertThat(starts).hasValue(1);
  }

  /** It is read once the sandbox is certain to have it. */
  @Test
  void aStreamIsWhole() {
    byte[] input = "0123456789".getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < 20; i++) {
      changesLeft.set(1);
      SandboxCommand cat = SandboxCommand.of("cat").input(new ByteArrayInputStream(input));
      assertThat(engine.run(cat).stdoutBytes()).isEqualTo(input);
    }
  }
}
