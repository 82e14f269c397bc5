package io.zett.sandbox.cases.cleanup;

import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.SandboxException;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Possessions;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/** A JVM in which opening fails again and again, each time at another step. */
final class FailedOpens {
  private FailedOpens() {}

  public static void main(String[] arguments) {
    Path base = Path.of(arguments[0]);
    List<Supplier<SandboxSession.Builder>> bad =
        List.of(
            () -> SandboxSession.builder().writable(base.resolve("no")),
            () -> SandboxSession.builder().workspace(base.resolve("no")),
            () -> SandboxSession.builder().memory("1GB").writable(base.resolve("no")),
            () ->
                SandboxSession.builder()
                    .memoryStrategy(MemoryStrategy.CGROUP)
                    .writable(base.resolve("no")),
            () -> {
              System.setProperty("io.zett.sandbox.bubblewrap", "/usr/bin/no-such-launcher");
              return SandboxSession.builder();
            });
    fail(bad, 2);
    Possessions before = Possessions.now();
    int failures =
        fail(bad, 10)
            + fail(
                List.of(() -> SandboxSession.builder().workspace(base).denyRead(tooMany(base))), 1);
    before.assertRegained();
    System.clearProperty("io.zett.sandbox.bubblewrap");
    try (SandboxSession session = SandboxSession.builder().open()) {
      System.out.print(failures + " failures, then " + session.run("echo ran").stdout());
    }
  }

  private static Path[] tooMany(Path base) {
    Path[] paths = new Path[4000];
    for (int i = 0; i < paths.length; i++) {
      paths[i] = base.resolve("d" + i);
    }
    return paths;
  }

  private static int fail(List<Supplier<SandboxSession.Builder>> bad, int rounds) {
    int failures = 0;
    for (int i = 0; i < rounds; i++) {
      System.clearProperty("io.zett.sandbox.bubblewrap");
      for (Supplier<SandboxSession.Builder> builder : bad) {
        SandboxSession session = builder.get().build();
        try {
          session.open();
        } catch (SandboxException | IllegalArgumentException e) {
          failures++;
        }
        if (session.isOpen()) {
          throw new AssertionError("open: " + session);
        }
        session.close();
      }
    }
    return failures;
  }
}
