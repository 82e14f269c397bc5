package io.zett.sandbox.cases.output;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** A JVM with little memory and commands with much output. */
final class SmallHeap {
  private SmallHeap() {}

  public static void main(String[] arguments) {
    try (SandboxSession session = SandboxSession.builder().noTimeout().open()) {
      if (arguments[0].equals("flood")) {
        flood(session);
      } else {
        yes(session);
      }
    }
  }

  private static void flood(SandboxSession session) {
    SandboxResult result =
        session.run(
            SandboxCommand.shell("head -c 2000000000 /dev/zero; echo tail >&2; exit 7")
                .maxOutputBytes(1000));
    System.out.print(
        result.outcome()
            + " kept "
            + result.stdoutBytes().length
            + " of "
            + result.stdoutTotalBytes()
            + ", truncated "
            + result.stdoutTruncated()
            + ", "
            + result.stderr());
  }

  private static void yes(SandboxSession session) {
    SandboxCommand yes =
        SandboxCommand.shell("yes & yes >&2")
            .maxOutputBytes(1_000_000)
            .timeout(Duration.ofSeconds(2));
    List<CompletableFuture<SandboxResult>> all =
        Stream.generate(() -> session.runAsync(yes)).limit(8).toList();
    System.out.println(all.stream().filter(one -> one.join().timedOut()).count() + " timed out");
  }
}
