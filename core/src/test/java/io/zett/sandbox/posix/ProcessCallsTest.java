package io.zett.sandbox.posix;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProcessCallsTest {

  private static final UnixPath SH = UnixPath.ofText("/bin/sh");

  private final Posix posix = Posix.system();

  @Test
  void argumentsAndVariablesArriveByteByByte() {
    int[] pipe = posix.pipe2(0);
    byte[] odd = {(byte) 0xff, 'x', (byte) 0xe9};
    int pid =
        posix.spawn(
            SH,
            List.of(
                bytes("sh"), bytes("-c"), bytes("printf '%s|%s' \"$1\" \"$V\""), bytes("-"), odd),
            List.of(bytes("V=é漢")),
            List.of(new Mapping(pipe[1], 1)));
    posix.close(pipe[1]);
    byte[] output = posix.readFully(pipe[0], 1000, "pipe");
    posix.close(pipe[0]);
    assertThat(Objects.requireNonNull(posix.wait4(pid, 0)).status()).isZero();
    ByteBuffer expected = ByteBuffer.allocate(9).put(odd).put(bytes("|é漢"));
    assertThat(output).isEqualTo(expected.array());
  }

  @Test
  void crossedMappingsDoNotClobberEachOther() {
    int[] a = posix.pipe2(0);
    int[] b = posix.pipe2(0);
    int pid =
        posix.spawn(
            SH,
            Stream.of("sh", "-c", "cd /proc/self/fd; echo a > " + b[1] + "; echo b > " + a[1])
                .map(ProcessCallsTest::bytes)
                .toList(),
            List.of(),
            List.of(new Mapping(a[1], b[1]), new Mapping(b[1], a[1])));
    posix.close(a[1]);
    posix.close(b[1]);
    posix.wait4(pid, 0);
    assertThat(posix.readFully(a[0], 10, "")).isEqualTo(bytes("a\n"));
    assertThat(posix.readFully(b[0], 10, "")).isEqualTo(bytes("b\n"));
    posix.close(a[0]);
    posix.close(b[0]);
  }

  @Test
  void aChildHasOnlyWhatIsMapped() {
    int[] pipe = posix.pipe2(0);
    int leak = posix.fcntl(pipe[0], 0, 70); // F_DUPFD: not closed on exec
    int pid =
        posix.spawn(
            SH,
            Stream.of(
                    "sh",
                    "-c",
                    "n=-1; while [ $((n+=1)) -lt 100 ]; do [ ! -e /proc/$$/fd/$n ] || echo $n;"
                        + " done")
                .map(ProcessCallsTest::bytes)
                .toList(),
            List.of(),
            List.of(new Mapping(pipe[1], 1)));
    posix.close(pipe[1]);
    posix.close(leak);
    String listed = new String(posix.readFully(pipe[0], 1000, ""), UTF_8);
    posix.close(pipe[0]);
    posix.wait4(pid, 0);
    assertThat(leak).isGreaterThanOrEqualTo(70);
    assertThat(listed).isEqualTo("1\n");
  }

  @Test
  void aProgramThatCannotBeExecutedIsAnError() {
    assertThatThrownBy(
            () ->
                posix.spawn(UnixPath.ofText("/no/such"), List.of(bytes("x")), List.of(), List.of()))
        .isInstanceOf(PosixException.class)
        .hasMessage("posix_spawn /no/such: No such file or directory (ENOENT)");
  }

  @Test
  void aPidfdSignalsAndTellsDeath() {
    int pid = posix.spawn(SH, sleeping(), List.of(bytes("PATH=/bin:/usr/bin")), List.of());
    int pidfd = posix.pidfdOpen(pid, 0);
    assertThat(posix.wait4(pid, Constants.WNOHANG)).isNull();
    assertThat(posix.pidfdSendSignal(pidfd, Constants.SIGSTOP)).isTrue();
    assertThat(posix.awaitStopOrDeath(pid)).isTrue();
    assertThat(Objects.requireNonNull(posix.wait4(pid, Constants.WUNTRACED)).isStopped()).isTrue();
    posix.pidfdSendSignal(pidfd, Constants.SIGKILL);
    Waited waited = Objects.requireNonNull(posix.wait4(pid, 0));
    assertThat(waited.pid()).isEqualTo(pid);
    assertThat(waited.status()).isEqualTo(Constants.SIGKILL);
    assertThat(waited.maxRssKib()).isPositive();
    assertThat(posix.pidfdSendSignal(pidfd, Constants.SIGKILL)).isFalse();
    assertThat(posix.awaitStopOrDeath(pid)).isFalse();
    posix.close(pidfd);
  }

  @Test
  void limitsOfAProcessAreReadAndSet() {
    int pid = posix.spawn(SH, sleeping(), List.of(bytes("PATH=/bin:/usr/bin")), List.of());
    posix.setrlimit(pid, Constants.RLIMIT_NOFILE, new ResourceLimit(30, 40));
    assertThat(posix.getrlimit(pid, Constants.RLIMIT_NOFILE)).isEqualTo(new ResourceLimit(30, 40));
    posix.kill(pid, Constants.SIGKILL);
    posix.wait4(pid, 0);
  }

  @Test
  void theSendersPidComesWithItsMessage() {
    int[] pair = posix.socketpair(Constants.SOCK_STREAM);
    posix.setsockopt(pair[0], Constants.SOL_SOCKET, Constants.SO_PASSCRED, 1);
    assertThat(posix.receiveWithCredentials(pair[0], ByteBuffer.allocate(8)).count())
        .isEqualTo(-Errno.EAGAIN);
    int pid =
        posix.spawn(
            SH,
            Stream.of("sh", "-c", "echo hi >&5; kill -9 $$").map(ProcessCallsTest::bytes).toList(),
            List.of(),
            List.of(new Mapping(pair[1], 5)));
    posix.close(pair[1]);
    posix.wait4(pid, 0);
    ByteBuffer buffer = ByteBuffer.allocateDirect(8);
    assertThat(posix.receiveWithCredentials(pair[0], buffer)).isEqualTo(new Received(3, pid, -1));
    assertThat(posix.receiveWithCredentials(pair[0], buffer).count()).isZero();
    posix.close(pair[0]);
  }

  @Test
  void pollingTellsWhichDescriptorIsReady() {
    int epoll = posix.epollCreate();
    int event = posix.eventfd();
    posix.epollCtl(
        epoll, Constants.EPOLL_CTL_ADD, event, Constants.EPOLLIN, 0x1234_5678_9abc_def0L);
    assertThat(posix.epollWait(epoll, 8, 0)).isEmpty();
    posix.write(event, ByteBuffer.allocate(8).putLong(-2L).flip());
    assertThat(posix.epollWait(epoll, 8, -1))
        .containsExactly(new PollEvent(Constants.EPOLLIN, 0x1234_5678_9abc_def0L));
    posix.close(event);
    posix.close(epoll);
  }

  @Test
  void theSystemAndTheUserAreKnown() {
    assertThat(posix.getpid()).isEqualTo((int) ProcessHandle.current().pid());
    assertThat(posix.uname().system()).isEqualTo("Linux");
    assertThat(posix.uname().machine()).isEqualTo(Architecture.current().kernelName());
    assertThat(posix.clockTicks()).isPositive();
    assertThat(posix.getuid()).isEqualTo(posix.geteuid());
  }

  /** Waits for ever in one process, so that killing it leaves nothing. */
  private static List<byte[]> sleeping() {
    return Stream.of("sh", "-c", "exec sleep 1000").map(ProcessCallsTest::bytes).toList();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
