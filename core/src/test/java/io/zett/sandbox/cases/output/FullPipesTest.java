package io.zett.sandbox.cases.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.cases.outside.Programs;
import io.zett.sandbox.cases.outside.Sandboxed;
import io.zett.sandbox.cases.outside.Sleepers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** I01, I05, I06: neither a full pipe nor one that nobody reads holds up or fails a command. */
class FullPipesTest {
  private static final int SIZE = 5_000_000;
  private static final long CAP = 2L * SIZE;

  @TempDir Path temporary;

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void aLotOfErrorOutputBeforeTheOutputIsNoDeadlock(SandboxBackend backend) {
    try (SandboxSession session = Sandboxed.session(backend)) {
      SandboxResult result =
          session.run(
              SandboxCommand.shell("head -c 5000000 /dev/zero >&2; echo done").maxOutputBytes(CAP));
      assertThat(result.stdout()).isEqualTo("done\n");
      assertThat(result.stderrBytes().length).isEqualTo(SIZE);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void whatGoesInComesOut(SandboxBackend backend) throws IOException {
    byte[] bytes = new byte[SIZE];
    new Random(5).nextBytes(bytes);
    Path file = Files.write(temporary.resolve("input"), bytes);
    SandboxCommand cat = SandboxCommand.of("cat").maxOutputBytes(CAP);
    try (SandboxSession session = Sandboxed.session(backend)) {
      assertThat(session.run(cat.input(bytes)).stdoutBytes()).isEqualTo(bytes);
      assertThat(session.run(cat.input(file)).stdoutBytes()).isEqualTo(bytes);
      assertThat(session.run(cat.input(new ByteArrayInputStream(bytes))).stdoutBytes())
          .isEqualTo(bytes);
      SandboxCommand toError = SandboxCommand.shell("cat >&2").maxOutputBytes(CAP);
      assertThat(session.run(toError.input(bytes)).stderrBytes()).isEqualTo(bytes);
      assertThat(session.run(cat.input("hé漢")).stdoutBytes()).isEqualTo("hé漢".getBytes(UTF_8));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void aCommandThatDoesNotReadItsInputSucceeds(SandboxBackend backend) throws IOException {
    byte[] bytes = new byte[10_000_000];
    Path file = Files.write(temporary.resolve("input"), bytes);
    try (SandboxSession session = Sandboxed.session(backend)) {
      for (SandboxCommand command :
          new SandboxCommand[] {
            SandboxCommand.of("true"),
            SandboxCommand.shell("head -c 1 >/dev/null"),
            SandboxCommand.shell("exec 0<&-; sleep 0.2; echo ok >/dev/null"),
            SandboxCommand.shell("sleep 0.2; head -c 100000 >/dev/null")
          }) {
        assertThat(session.run(command.input(bytes)).outcome()).isEqualTo(new Outcome.Exited(0));
        assertThat(session.run(command.input(file)).outcome()).isEqualTo(new Outcome.Exited(0));
        assertThat(session.run(command.input(new ByteArrayInputStream(bytes))).outcome())
            .isEqualTo(new Outcome.Exited(0));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void withoutInputTheInputIsAtItsEndAtOnce(SandboxBackend backend) {
    try (SandboxSession session = Sandboxed.session(backend)) {
      assertThat(session.run("cat; echo eof").stdout()).isEqualTo("eof\n");
      assertThat(session.run("read x; echo rc=$?").stdout()).isEqualTo("rc=1\n");
      assertThat(session.run(SandboxCommand.of("cat").input("")).stdoutTotalBytes()).isZero();
      assertThat(session.run(SandboxCommand.of("cat").input(new byte[0])).succeeded()).isTrue();
      assertThat(session.run(SandboxCommand.of("cat").input(Path.of("/dev/null"))).succeeded())
          .isTrue();
      assertThat(session.run("test -t 0 || test -t 1 || test -t 2; echo $?").stdout())
          .isEqualTo("1\n");
    }
  }

  @Test
  void theFirstThreeDescriptorsAreThePipesAndThereAreNoOthers() {
    try (SandboxSession session = Sandboxed.session()) {
      // ls itself opens the one that it lists.
      assertThat(session.run("ls /proc/self/fd").stdout()).isEqualTo("0\n1\n2\n3\n");
    }
  }

  @Test
  void aFileThatIsMissingOrADirectoryIsATypedErrorThatNamesItAndNothingRuns() {
    try (SandboxSession session = Sandboxed.session()) {
      SandboxCommand touch = SandboxCommand.shell("echo >ran");
      assertThatThrownBy(() -> session.run(touch.input(temporary.resolve("missing"))))
          .isInstanceOf(SandboxSetupException.class)
          .hasMessageContaining("missing")
          .hasMessageContaining("No such file");
      assertThatThrownBy(() -> session.run(touch.input(temporary)))
          .isInstanceOf(SandboxSetupException.class)
          .hasMessageContaining(temporary.toString());
      assertThat(session.workspace().resolve("ran")).doesNotExist();
      assertThat(session.run("echo again").stdout()).isEqualTo("again\n");
    }
  }

  @Test
  void anInputStreamThatFailsEndsTheCommandWithATypedError() {
    Sleepers sleepers = new Sleepers();
    InputStream failing =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the well is dry");
          }
        };
    try (SandboxSession session = Sandboxed.session()) {
      assertThatThrownBy(
              () -> session.run(SandboxCommand.shell("cat; " + sleepers.sleep()).input(failing)))
          .isInstanceOf(SandboxSetupException.class)
          .hasMessageContaining("input")
          .hasMessageContaining("the well is dry");
      sleepers.assertNone();
    }
  }

  @Test
  void aStreamIsNotClosedAndIsReadInPiecesAsItComes() throws IOException {
    AtomicBoolean closed = new AtomicBoolean();
    InputStream slow =
        new InputStream() {
          private int left = 30;

          @Override
          public int read() {
            return left-- > 0 ? 'x' : -1;
          }

          @Override
          public int read(byte[] bytes, int offset, int length) {
            int next = read();
            if (next < 0) {
              return -1;
            }
            bytes[offset] = (byte) next;
            return 1;
          }

          @Override
          public void close() {
            closed.set(true);
          }
        };
    try (SandboxSession session = Sandboxed.session()) {
      assertThat(session.run(SandboxCommand.of("cat").input(slow)).stdout())
          .isEqualTo("x".repeat(30));
    }
    assertThat(closed).isFalse();
  }

  @Test
  void anEndlessInputIsNoHindrance() throws IOException {
    try (SandboxSession session = Sandboxed.session()) {
      SandboxResult result =
          session.run(SandboxCommand.shell("head -c 3000000 | wc -c").input(Path.of("/dev/zero")));
      assertThat(result.stdout().strip()).isEqualTo("3000000");
      assertThat(
              session
                  .run(
                      SandboxCommand.shell("cat >/dev/null")
                          .input(Path.of("/dev/zero"))
                          .timeout(Duration.ofMillis(300)))
                  .timedOut())
          .isTrue();
    }
  }

  @Test
  void aNamedPipeWithoutAWriterHoldsUpNobody() {
    Path fifo = temporary.resolve("fifo");
    Programs.run("mkfifo", fifo.toString());
    try (SandboxSession session = Sandboxed.session()) {
      SandboxResult result =
          session.run(SandboxCommand.of("cat").input(fifo).timeout(Duration.ofSeconds(1)));
      assertThat(result.stdout()).isEmpty();
      assertThat(session.run("echo again").stdout()).isEqualTo("again\n");
    }
  }
}
