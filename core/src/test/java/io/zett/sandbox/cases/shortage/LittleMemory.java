package io.zett.sandbox.cases.shortage;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Possessions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A JVM whose memory is too little for the output that its commands are to keep. */
final class LittleMemory {
  private static final int ROUNDS = 3;
  private static final int PARALLEL = 8;
  private static final int BYTES = 30_000_000;

  private LittleMemory() {}

  public static void main(String[] arguments) throws Exception {
    Classes.load();
    try (Attempts attempts =
            new Attempts(m -> m.contains("short of memory") && m.contains("-Xmx"));
        SandboxSession session =
            SandboxSession.builder().noTimeout().maxConcurrent(PARALLEL).open()) {
      attempts.run(session);
      Possessions before = Possessions.now();
      for (int round = 0; round < ROUNDS; round++) {
        flood(session, attempts);
        Attempts.expectOk(session.run("echo ok"));
      }
      attempts.open(SandboxSession.builder());
      before.assertRegained();
      System.out.println(attempts.told() > 0 ? "told" : attempts.toString());
    }
  }

  private static void flood(SandboxSession session, Attempts attempts) {
    SandboxCommand command =
        SandboxCommand.shell("head -c " + BYTES + " /dev/zero").maxOutputBytes(BYTES);
    List<CompletableFuture<SandboxResult>> all = new ArrayList<>();
    for (int i = 0; i < PARALLEL; i++) {
      all.add(session.runAsync(command));
    }
    while (!all.isEmpty()) {
      CompletableFuture<SandboxResult> one = all.removeLast();
      attempts.attempt(() -> whole(one));
    }
  }

  private static String whole(CompletableFuture<SandboxResult> future) throws Exception {
    SandboxResult result = future.get();
    if (!result.succeeded() || result.stdoutTotalBytes() != BYTES || result.stdoutTruncated()) {
      throw new AssertionError("not whole: " + result);
    }
    return "";
  }
}
