package io.zett.sandbox.cases.ending;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A JVM that is the first process of a pid namespace. After each command it sets the numbers of
 * processes back, so that bystanders get those which the command and its launcher have just had.
 */
final class ReusedNumbers {
  private static final Path LAST_NUMBER = Path.of("/proc/sys/kernel/ns_last_pid");
  private static final int ROUNDS = 30;
  private static final int BYSTANDERS = 5;

  /** More than any time that the engine waits before it kills: a grace of 5 s. */
  private static final long PATIENCE_SECONDS = 6;

  private ReusedNumbers() {}

  /** Argument: the backend. Prints how many bystanders had a number again, and how many died. */
  public static void main(String[] arguments)
      throws IOException, InterruptedException, ExecutionException {
    List<Process> bystanders = new ArrayList<>();
    int reused = 0;
    SandboxBackend backend = SandboxBackend.of(arguments[0]);
    try (SandboxSession session = SandboxSession.builder().backend(backend).open()) {
      for (int round = 0; round < ROUNDS; round++) {
        long before = lastNumber();
        session.run(command(round));
        long after = lastNumber();
        Files.writeString(LAST_NUMBER, Long.toString(before));
        for (int i = 0; i < BYSTANDERS; i++) {
          Process bystander = new ProcessBuilder("sleep", "600").start();
          bystanders.add(bystander);
          reused += bystander.pid() > before && bystander.pid() <= after ? 1 : 0;
        }
      }
      awaitNothing(bystanders);
    }
    long dead = bystanders.stream().filter(bystander -> !bystander.isAlive()).count();
    bystanders.forEach(Process::destroyForcibly);
    System.out.println((reused > ROUNDS ? "reused" : "only " + reused) + ", " + dead + " dead");
  }

  /** One that ends by itself, one that is ended, one of which something has to be ended. */
  private static SandboxCommand command(int round) {
    return switch (round % 3) {
      case 0 -> SandboxCommand.of("true").timeout(Duration.ofMillis(300));
      case 1 -> SandboxCommand.of("sleep", "600").timeout(Duration.ofMillis(10));
      default -> SandboxCommand.shell("sleep 600 & sleep 600 & exit 0");
    };
  }

  private static long lastNumber() throws IOException {
    byte[] text = new byte[32];
    try (InputStream stream = Files.newInputStream(LAST_NUMBER)) {
      int length = stream.read(text); // at once: such a file gives nothing to a second read
      return Long.parseLong(new String(text, 0, length, US_ASCII).strip());
    }
  }

  /** Returns when one has died, or when the engine's last timer is over. */
  private static void awaitNothing(List<Process> bystanders)
      throws InterruptedException, ExecutionException {
    CompletableFuture<?>[] ends =
        bystanders.stream().map(Process::onExit).toArray(CompletableFuture[]::new);
    try {
      CompletableFuture.anyOf(ends).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException nobodyDied) {
      // As it should be.
    }
  }
}
