package io.zett.sandbox.cases.ending;

import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Eventually;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** A JVM that is the first process of a pid namespace, as in a container. */
final class FirstProcess {
  private FirstProcess() {}

  public static void main(String[] arguments) {
    System.out.println("pid " + ProcessHandle.current().pid());
    try (SandboxSession session = SandboxSession.builder().open()) {
      for (int i = 0; i < 60; i++) {
        session.run("(setsid sleep 0.1 &); exit 0").check();
      }
      for (int i = 0; i < 10; i++) {
        session.run(SandboxCommand.of("sleep", "600").timeout(Duration.ofMillis(20)));
      }
      // At every moment of a set-up, too.
      for (int i = 0; i < 60; i++) {
        CompletableFuture<SandboxResult> future = session.runAsync("sleep 600");
        LockSupport.parkNanos(i * 200_000L);
        future.cancel(true);
      }
    } catch (SandboxCanceledException e) {
      throw new AssertionError(e);
    }
    Eventually.within(
        Duration.ofSeconds(10), () -> "no other process: " + others(), () -> others().isEmpty());
    System.out.println("alone");
  }

  /** All but this process; zombies too. */
  private static String others() {
    StringBuilder found = new StringBuilder();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
      for (Path process : processes) {
        if (!process.endsWith("1")) {
          found.append(stat(process));
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return found.toString();
  }

  private static String stat(Path process) {
    try {
      return Files.readString(process.resolve("stat"));
    } catch (IOException e) {
      return ""; // gone
    }
  }
}
