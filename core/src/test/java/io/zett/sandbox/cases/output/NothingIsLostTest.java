package io.zett.sandbox.cases.output;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Sandboxed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** H02: output is read to its end and not until some time is over. */
class NothingIsLostTest {
  private static final long CAP = 4_000_000;

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void underLoadEveryByteArrivesInOrder(SandboxBackend backend) throws Exception {
    SandboxCommand count = SandboxCommand.of("seq", "1", "300000").maxOutputBytes(CAP);
    byte[] expected = numbers(300_000);
    try (SandboxSession session = Sandboxed.session(backend);
        ExecutorService threads = Executors.newFixedThreadPool(16)) {
      List<Future<SandboxResult>> results = new ArrayList<>();
      for (int i = 0; i < 48; i++) {
        results.add(threads.submit(() -> session.run(count)));
      }
      for (Future<SandboxResult> result : results) {
        assertThat(Arrays.equals(result.get().stdoutBytes(), expected)).isTrue();
        assertThat(result.get().exitCode()).isZero();
      }
    }
  }

  /** What {@code seq 1 COUNT} writes. */
  private static byte[] numbers(int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= count; i++) {
      text.append(i).append('\n');
    }
    return text.toString().getBytes(US_ASCII);
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void whatWasWrittenBeforeATimeOutIsKeptInOrderUnderLoad(SandboxBackend backend) throws Exception {
    byte[] expected = numbers(50_000);
    // A writer that is still at it, and one that has written and waits, with a grandchild at each.
    SandboxCommand done =
        SandboxCommand.shell("sleep 600 & seq 1 50000; seq 1 50000 >&2; sleep 600")
            .timeout(Duration.ofSeconds(4))
            .maxOutputBytes(CAP);
    SandboxCommand busy =
        SandboxCommand.shell("sleep 600 & seq 1 1000000000")
            .timeout(Duration.ofMillis(500))
            .maxOutputBytes(expected.length);
    try (SandboxSession session = Sandboxed.session(backend);
        ExecutorService threads = Executors.newFixedThreadPool(16)) {
      List<Future<SandboxResult>> results = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        SandboxCommand command = i % 2 == 0 ? done : busy;
        results.add(threads.submit(() -> session.run(command)));
      }
      for (Future<SandboxResult> each : results) {
        SandboxResult result = each.get();
        assertThat(result.timedOut()).isTrue();
        boolean waits = result.command().equals(done);
        assertThat(headOf(result.stdoutBytes(), expected, waits)).isTrue();
        assertThat(headOf(result.stderrBytes(), waits ? expected : new byte[0], waits)).isTrue();
      }
    }
  }

  /** Whether it is all of it or, where the machine may have been too slow for that, its head. */
  private static boolean headOf(byte[] written, byte[] expected, boolean all) {
    return (!all || written.length == expected.length)
        && Arrays.equals(written, Arrays.copyOf(expected, written.length));
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void whatIsInThePipeWhenTheCommandEndsIsRead(SandboxBackend backend) {
    try (SandboxSession session = Sandboxed.session(backend)) {
      for (int i = 0; i < 20; i++) {
        SandboxResult result =
            session.run("printf start; exec 1>&1; head -c 60000 /dev/zero | tr '\\0' b; echo END");
        assertThat(result.stdout()).isEqualTo("start" + "b".repeat(60_000) + "END\n");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void whatIsInThePipeIsReadThoughAnotherProcessHoldsIt(SandboxBackend backend) {
    try (SandboxSession session = Sandboxed.session(backend)) {
      for (int i = 0; i < 20; i++) {
        SandboxResult result =
            session.run("sleep 600 & head -c 60000 /dev/zero | tr '\\0' b; echo END; kill -9 $$");
        assertThat(result.exitCode()).isEqualTo(137);
        assertThat(result.stdout()).isEqualTo("b".repeat(60_000) + "END\n");
      }
    }
  }

  @Test
  void bothStreamsAreInTheOrderOfWritingWhenTheyAreMerged() {
    try (SandboxSession session = Sandboxed.session()) {
      StringBuilder expected = new StringBuilder();
      for (int i = 0; i < 500; i++) {
        expected.append("out ").append(i).append("\nerr ").append(i).append('\n');
      }
      SandboxResult result =
          session.run(
              SandboxCommand.shell(
                      "i=0; while [ $i -lt 500 ]; do echo out $i; echo err $i >&2; i=$((i+1));"
                          + " done")
                  .mergeStderr());
      assertThat(result.stdout()).isEqualTo(expected.toString());
      assertThat(result.stderr()).isEmpty();
      assertThat(result.stderrTotalBytes()).isZero();
    }
  }

  @Test
  void manySmallWritesArriveInOrder() {
    try (SandboxSession session = Sandboxed.session()) {
      StringBuilder expected = new StringBuilder();
      for (int i = 0; i < 20_000; i++) {
        expected.append(i).append('\n');
      }
      assertThat(session.run("i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i+1)); done").stdout())
          .isEqualTo(expected.toString());
    }
  }
}
