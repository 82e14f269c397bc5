package io.zett.sandbox.cases.output;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Sandboxed;
import java.util.ArrayList;
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

  @Test
  void underLoadEveryByteArrives() throws Exception {
    try (SandboxSession session = Sandboxed.session();
        ExecutorService threads = Executors.newFixedThreadPool(16)) {
      List<Future<SandboxResult>> results = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        results.add(
            threads.submit(
                () ->
                    session.run(
                        SandboxCommand.shell("head -c 3000000 /dev/zero | tr '\\0' a; echo END")
                            .maxOutputBytes(CAP))));
      }
      for (Future<SandboxResult> result : results) {
        byte[] bytes = result.get().stdoutBytes();
        assertThat(bytes.length).isEqualTo(3_000_004);
        assertThat(new String(bytes, US_ASCII)).startsWith("aaa").endsWith("aaaEND\n");
        assertThat(result.get().exitCode()).isZero();
      }
    }
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
