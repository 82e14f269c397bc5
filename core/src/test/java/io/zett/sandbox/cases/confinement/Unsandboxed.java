package io.zett.sandbox.cases.confinement;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Programs on the host itself: the harmless form of an attack, which shows that the attack would
 * work, and the other side of a case. Nothing that could do harm is ever run here.
 */
final class Unsandboxed {

  private static final int SECONDS = 150;

  /** How a program ended and what it wrote. */
  record End(int status, String out, String err) {}

  private Unsandboxed() {}

  /** A shell line. */
  static End shell(Path directory, String line) throws IOException, InterruptedException {
    return run(directory, List.of("/bin/sh", "-c", line));
  }

  static End run(Path directory, List<String> words) throws IOException, InterruptedException {
    return end(new ProcessBuilder(words).directory(directory.toFile()).start());
  }

  /** Waits for the end of a program that gets no input. */
  static End end(Process process) throws IOException, InterruptedException {
    process.getOutputStream().close();
    CompletableFuture<String> out = read(process.inputReader(UTF_8));
    CompletableFuture<String> err = read(process.errorReader(UTF_8));
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError("did not end; it wrote " + out.join() + err.join());
    }
    return new End(process.exitValue(), out.join(), err.join());
  }

  private static CompletableFuture<String> read(BufferedReader reader) {
    CompletableFuture<String> text = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try (reader) {
                text.complete(reader.readAllAsString());
              } catch (IOException e) {
                text.completeExceptionally(e);
              }
            });
    return text;
  }
}
