package io.zett.sandbox.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.Commands.Launch;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a command reads and writes. */
@Timeout(60)
class StreamsTest {

  private static final byte[] FIVE_MB = random(5_000_000);

  private final Commands commands = new Commands();

  @TempDir Path directory;

  @AfterEach
  void nothingIsLeft() {
    commands.close();
    commands.assertNothingRuns();
  }

  @ParameterizedTest
  @EnumSource
  void withoutInputTheEndComesAtOnce(Launch launch) {
    assertThat(commands.shell(launch, "cat; echo eof; read x; echo $?").run().out())
        .isEqualTo("eof\n1\n");
  }

  @ParameterizedTest
  @EnumSource
  void fiveMegabytesGoThroughBothWays(Launch launch) {
    Capture out = new Capture(10_000_000);
    Capture err = new Capture(10_000_000);
    var command =
        commands.program(launch, "tee", "/dev/stderr").input(new Input.Bytes(FIVE_MB)).out(out);
    command.err = err;
    assertThat(command.run().code()).isZero();
    assertThat(out.bytes()).isEqualTo(FIVE_MB);
    assertThat(err.bytes()).isEqualTo(FIVE_MB);
  }

  @ParameterizedTest
  @EnumSource
  void aCommandThatDoesNotReadItsInputIsNoFailure(Launch launch) {
    Input large = new Input.Bytes(FIVE_MB);
    assertThat(commands.program(launch, "true").input(large).run().code()).isZero();
    assertThat(commands.program(launch, "head", "-c", "1").input(large).cap(1).run().code())
        .isZero();
    var closed = commands.shell(launch, "exec 0<&-; sleep 0.2; echo ok").input(large).run();
    assertThat(closed.code()).isZero();
    assertThat(closed.out()).isEqualTo("ok\n");
  }

  @ParameterizedTest
  @EnumSource
  void aFileIsReadFromItsBeginning(Launch launch) throws IOException {
    for (int size : new int[] {0, 10, 5_000_000}) {
      byte[] content = random(size);
      Path file = Files.write(directory.resolve("input"), content);
      Capture out = new Capture(10_000_000);
      var done =
          commands.program(launch, "cat").input(new Input.File(UnixPath.of(file))).out(out).run();
      assertThat(done.code()).isZero();
      assertThat(out.bytes()).isEqualTo(content);
    }
    assertThat(
            commands
                .program(launch, "true")
                .input(new Input.File(UnixPath.of(directory)))
                .run()
                .ending()
                .how())
        .isInstanceOfSatisfying(
            Ending.SetupFailed.class,
            failed -> assertThat(failed.failure().errno()).isEqualTo(Errno.EISDIR));
    var missing = new Input.File(UnixPath.of(directory).resolve("none"));
    assertThat(commands.program(launch, "true").input(missing).run().ending().how())
        .isInstanceOfSatisfying(
            Ending.SetupFailed.class,
            failed -> {
              assertThat(failed.failure().step()).isEqualTo("open the input");
              assertThat(failed.failure().errno()).isEqualTo(Errno.ENOENT);
            });
  }

  @ParameterizedTest
  @EnumSource
  void theInputFileItselfStaysOutOfReach(Launch launch) throws IOException {
    Path file = Files.writeString(directory.resolve("input"), "kept");
    commands
        .shell(launch, "echo changed > /proc/self/fd/0; :")
        .input(new Input.File(UnixPath.of(file)))
        .run();
    assertThat(file).hasContent("kept");
  }

  @ParameterizedTest
  @EnumSource
  void aStreamIsReadAsItComes(Launch launch) {
    Capture out = new Capture(10_000_000);
    InputStream slices =
        new ByteArrayInputStream(FIVE_MB) {
          @Override
          public synchronized int read(byte[] into, int at, int length) {
            return super.read(into, at, Math.min(length, 10_007));
          }
        };
    var done = commands.program(launch, "cat").input(new Input.Stream(slices)).out(out).run();
    assertThat(done.code()).isZero();
    assertThat(out.bytes()).isEqualTo(FIVE_MB);
  }

  @ParameterizedTest
  @EnumSource
  void aStreamThatNeverEndsDoesNotOutliveItsCommand(Launch launch) {
    var done = commands.shell(launch, "echo ok").input(new Input.Stream(new SilentStream())).run();
    assertThat(done.out()).isEqualTo("ok\n");
  }

  @ParameterizedTest
  @EnumSource
  void aStreamThatFailsEndsTheCommand(Launch launch) {
    InputStream failing =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the source is gone");
          }
        };
    var done = commands.shell(launch, "cat; sleep 50").input(new Input.Stream(failing)).run();
    assertThat(done.ending().how())
        .isInstanceOfSatisfying(
            Ending.InputFailed.class,
            failed -> assertThat(failed.cause()).hasMessage("the source is gone"));
  }

  @ParameterizedTest
  @EnumSource
  void aPipeOfTheCallersIsPassedOn(Launch launch) throws Exception {
    int[] pipe = commands.posix.pipe2(0);
    Capture out = new Capture(10_000_000);
    var command = commands.program(launch, "cat").input(new Input.Descriptor(pipe[0])).out(out);
    Supervisor supervisor = command.start();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  commands.posix.writeFully(pipe[1], FIVE_MB);
                  commands.posix.close(pipe[1]);
                });
    assertThat(command.finish(supervisor).code()).isZero();
    writer.join();
    assertThat(out.bytes()).isEqualTo(FIVE_MB);
    assertThat(commands.posix.fcntl(pipe[0], Constants.F_GETFL, 0) & Constants.O_NONBLOCK).isZero();
    commands.posix.close(pipe[0]);
  }

  @ParameterizedTest
  @EnumSource
  void descriptorsThatCannotBePolledOrAreClosedAreInputsToo(Launch launch) {
    int zero = commands.posix.open(UnixPath.ofText("/dev/zero"), Constants.O_RDONLY, 0);
    var command = commands.program(launch, "head", "-c", "3000000");
    Capture out = new Capture(0);
    assertThat(command.input(new Input.Descriptor(zero)).out(out).run().code()).isZero();
    assertThat(out.total()).isEqualTo(3_000_000);
    commands.posix.close(zero);
    var closed = commands.shell(launch, "cat; echo eof").input(new Input.Descriptor(999_999)).run();
    assertThat(closed.out()).isEqualTo("eof\n");
  }

  @ParameterizedTest
  @EnumSource
  void aFloodIsCountedAndItsHeadKept(Launch launch) {
    var command =
        commands
            .shell(launch, "printf head; head -c 300000000 /dev/zero; echo tail >&2; exit 7")
            .cap(1000);
    var done = command.run();
    assertThat(done.code()).isEqualTo(7);
    assertThat(done.err()).isEqualTo("tail\n");
    Capture out = (Capture) command.out;
    assertThat(out.total()).isEqualTo(300_000_004);
    assertThat(out.bytes()).hasSize(1000).startsWith("head".getBytes(UTF_8));
    assertThat(out.isTruncated()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aCapOfNothingKeepsNothing(Launch launch) {
    Capture out = new Capture(0);
    assertThat(commands.shell(launch, "echo x; exit 2").out(out).run().code()).isEqualTo(2);
    assertThat(out.bytes()).isEmpty();
    assertThat(out.total()).isEqualTo(2);
    Capture silent = new Capture(0);
    commands.shell(launch, ":").out(silent).run();
    assertThat(silent.isTruncated()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void aFloodDoesNotDelayTheDeadline(Launch launch) {
    var done = commands.program(launch, "yes").cap(1000).timeout(Duration.ofMillis(500)).run();
    assertThat(done.ending().how()).isEqualTo(new Ending.TimedOut());
    assertThat(done.out()).hasSize(1000);
    assertThat(done.ending().wallNanos()).isLessThan(Duration.ofMillis(1500).toNanos());
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsLostUnderLoad(Launch launch) {
    String text = "head -c 3000000 /dev/zero | tr '\\0' a; echo END";
    for (int round = 0; round < 3; round++) {
      Commands.Builder[] all = new Commands.Builder[16];
      Supervisor[] running = new Supervisor[all.length];
      for (int i = 0; i < all.length; i++) {
        all[i] = commands.shell(launch, text).cap(4_000_000);
        running[i] = all[i].start();
      }
      for (int i = 0; i < all.length; i++) {
        String out = all[i].finish(running[i]).out();
        assertThat(out).hasSize(3_000_004).endsWith("aEND\n");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRelayHandsOnEverything(Launch launch) {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    Relay relay = new Relay(stream);
    var done = commands.program(launch, "cat").input(new Input.Bytes(FIVE_MB)).out(relay).run();
    assertThat(done.code()).isZero();
    assertThat(stream.toByteArray()).isEqualTo(FIVE_MB);
    assertThat(relay.total()).isEqualTo(FIVE_MB.length);
    assertThat(relay.failure()).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void aReaderThatStopsGivesTheCommandABrokenPipe(Launch launch) {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("gone");
          }
        };
    Relay relay = new Relay(broken);
    var done = commands.program(launch, "yes").out(relay).run();
    assertThat(done.ending().how()).isEqualTo(new Ending.Exited(Constants.SIGPIPE, 0));
    assertThat(relay.failure()).hasMessage("gone");
  }

  @ParameterizedTest
  @EnumSource
  void aReaderThatBlocksHoldsUpItsCommandButNotItsDeadline(Launch launch) {
    CountDownLatch never = new CountDownLatch(1);
    OutputStream blocking =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            try {
              never.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
          }
        };
    Relay relay = new Relay(blocking);
    var command = commands.program(launch, "yes").out(relay).timeout(Duration.ofMillis(300));
    Supervisor supervisor = command.start();
    var other = commands.shell(launch, "echo free").run();
    assertThat(other.out()).isEqualTo("free\n");
    assertThat(command.finish(supervisor).ending().how()).isEqualTo(new Ending.TimedOut());
    assertThat(relay.total()).isBetween((long) Relay.QUEUE, 4L * Relay.QUEUE);
  }

  @Test
  void aBlockOfSeveralMegabytesIsSent() {
    String[] words = new String[42];
    java.util.Arrays.fill(words, "x".repeat(40_000));
    words[0] = "/bin/sh";
    words[1] = "-c";
    words[2] = "echo $#; printf %s \"$*\" | wc -c";
    var done = commands.program(Launch.BUBBLEWRAP, words).run();
    assertThat(done.out().split("\\s+")).containsExactly("38", String.valueOf(38 * 40_001 - 1));
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(7).nextBytes(bytes);
    return bytes;
  }
}
