package io.zett.sandbox.cases.output;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.cases.outside.Sandboxed;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** I02: past its cap an output is counted and thrown away; the command does not notice. */
class CapTest {
  @TempDir Path temporary;

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void pastTheCapTheCommandRunsOnAndKeepsItsExitStatus(SandboxBackend backend) {
    try (SandboxSession session = Sandboxed.session(backend)) {
      SandboxResult result =
          session.run(
              SandboxCommand.shell("yes 0123456789 | head -c 20000000; echo tail >&2; exit 7")
                  .maxOutputBytes(1000));
      assertThat(result.outcome()).isEqualTo(new Outcome.Exited(7));
      assertThat(result.stdoutBytes())
          .isEqualTo("0123456789\n".repeat(91).substring(0, 1000).getBytes(US_ASCII));
      assertThat(result.stdoutTotalBytes()).isEqualTo(20_000_000);
      assertThat(result.stdoutTruncated()).isTrue();
      assertThat(result.stderr()).isEqualTo("tail\n");
      assertThat(result.stderrTruncated()).isFalse();
    }
  }

  @Test
  void theCapCountsForEachStream() {
    try (SandboxSession session = Sandboxed.session()) {
      SandboxResult result =
          session.run(
              SandboxCommand.shell("echo 12345678; echo abcdefgh >&2; exec >&2; echo more")
                  .maxOutputBytes(4));
      assertThat(result.stdout()).isEqualTo("1234");
      assertThat(result.stderr()).isEqualTo("abcd");
      assertThat(result.stdoutTotalBytes()).isEqualTo(9);
      assertThat(result.stderrTotalBytes()).isEqualTo(14);
    }
  }

  @Test
  void aCapOfNothingKeepsNothingAndOneOfEverythingEverything() {
    try (SandboxSession session = Sandboxed.session()) {
      SandboxCommand hello = SandboxCommand.shell("echo hello");
      SandboxResult none = session.run(hello.maxOutputBytes(0));
      assertThat(none.succeeded()).isTrue();
      assertThat(none.stdoutBytes()).isEmpty();
      assertThat(none.stdoutTruncated()).isTrue();
      assertThat(none.stdoutTotalBytes()).isEqualTo(6);
      assertThat(session.run(hello.maxOutputBytes(Long.MAX_VALUE)).stdout()).isEqualTo("hello\n");
      assertThat(session.run(hello.maxOutputBytes(6)).stdoutTruncated()).isFalse();
      assertThat(session.run(hello.maxOutputBytes(5)).stdoutTruncated()).isTrue();
    }
  }

  @Test
  void theDefaultCapIsAMebibyteOfEachStream() {
    try (SandboxSession session = Sandboxed.session()) {
      SandboxResult result =
          session.run("head -c 1048577 /dev/zero; head -c 1048576 /dev/zero >&2");
      assertThat(result.stdoutBytes().length).isEqualTo(1_048_576);
      assertThat(result.stdoutTruncated()).isTrue();
      assertThat(result.stderrBytes().length).isEqualTo(1_048_576);
      assertThat(result.stderrTruncated()).isFalse();
    }
  }

  @Test
  void twoGigabytesPastTheCapNeedNoHeap() {
    try (ChildJvm small =
        ChildJvm.of(SmallHeap.class).options("-Xmx64m").temporary(temporary).start("flood")) {
      assertThat(small.lines())
          .containsExactly("Exited[code=7] kept 1000 of 2000000000, truncated true, tail");
      assertThat(small.await()).isZero();
    }
  }

  @Test
  void manyFloodsAtOnceUntilTheirDeadlineNeedNoHeap() {
    try (ChildJvm small =
        ChildJvm.of(SmallHeap.class).options("-Xmx64m").temporary(temporary).start("yes")) {
      assertThat(small.lines()).containsExactly("8 timed out");
      assertThat(small.await()).isZero();
    }
  }

  @Test
  void aFloodDoesNotHoldUpOtherCommands() throws Exception {
    try (SandboxSession session = Sandboxed.session()) {
      var flood =
          session.runAsync(
              SandboxCommand.shell("yes & yes >&2 & yes").maxOutputBytes(1000).noTimeout());
      for (int i = 0; i < 10; i++) {
        assertThat(
                session
                    .run(SandboxCommand.of("echo", "on").timeout(Duration.ofSeconds(20)))
                    .stdout())
            .isEqualTo("on\n");
      }
      assertThat(flood).isNotDone();
      flood.cancel(true);
    }
  }
}
