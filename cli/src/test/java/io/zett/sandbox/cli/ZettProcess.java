package io.zett.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The real command in a JVM of its own, or a shell line that calls it as {@code "$@"}. A limit of
 * time is on everything, so that a hang is a failure and not a hang of the build.
 */
final class ZettProcess implements AutoCloseable {
  private static final int SECONDS = 60;

  private final Process process;
  private final CompletableFuture<byte[]> out;
  private final CompletableFuture<byte[]> err;
  private final StringBuilder outSoFar = new StringBuilder();

  /**
   * How it ended.
   *
   * @param status the exit status
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record End(int status, byte[] bytes, String out, String err) {}

  private ZettProcess(Process process) {
    this.process = process;
    // Threads of their own: the common pool of a small machine has one, and both of these block.
    Executor reader = task -> Thread.ofPlatform().daemon().start(task);
    out = CompletableFuture.supplyAsync(() -> read(process.getInputStream(), outSoFar), reader);
    err =
        CompletableFuture.supplyAsync(
            () -> read(process.getErrorStream(), new StringBuilder()), reader);
  }

  /** The words that start the command, JVM first. */
  static List<String> command() {
    return List.of(
        // A background job of a shell may have been started with SIGINT ignored: not so here.
        "/usr/bin/env",
        "--default-signal=INT,HUP,TERM,PIPE",
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        Main.class.getName());
  }

  static ZettProcess start(Path folder, Map<String, String> environment, List<String> words)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
    builder.environment().putAll(environment);
    return new ZettProcess(builder.start());
  }

  /** Starts {@code zett} with these words. */
  static ZettProcess zett(Path folder, String... words) throws IOException {
    List<String> all = new ArrayList<>(command());
    all.addAll(List.of(words));
    return start(folder, Map.of(), all);
  }

  /** Starts a shell line in which {@code "$@"} is the command. */
  static ZettProcess shell(Path folder, String line) throws IOException {
    List<String> all = new ArrayList<>(List.of("/bin/bash", "-c", line, "line"));
    all.addAll(command());
    return start(folder, Map.of(), all);
  }

  /** Waits until the output so far holds a text. */
  ZettProcess awaitOutput(String text) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    synchronized (outSoFar) {
      while (outSoFar.indexOf(text) < 0) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        assertThat(left).as("waiting for " + text + " in: " + outSoFar).isPositive();
        outSoFar.wait(left);
      }
    }
    return this;
  }

  void send(String input) throws IOException {
    process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  void closeInput() throws IOException {
    process.getOutputStream().close();
  }

  void signal(String name) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("/bin/sh", "-c", "kill -" + name + " " + process.pid()).start();
    assertThat(kill.waitFor()).isZero();
  }

  End end() throws Exception {
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("does not end; it wrote: " + outSoFar);
    }
    byte[] bytes = out.get(SECONDS, TimeUnit.SECONDS);
    return new End(
        process.exitValue(),
        bytes,
        new String(bytes, StandardCharsets.UTF_8),
        new String(err.get(SECONDS, TimeUnit.SECONDS), StandardCharsets.UTF_8));
  }

  /** What it has started. */
  Stream<ProcessHandle> descendants() {
    return process.descendants();
  }

  /** Ends it, if a failed test has left it running. */
  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  static End run(Path folder, String... words) throws Exception {
    try (ZettProcess zett = zett(folder, words)) {
      zett.closeInput();
      return zett.end();
    }
  }

  static End runLine(Path folder, String line) throws Exception {
    try (ZettProcess shell = shell(folder, line)) {
      shell.closeInput();
      return shell.end();
    }
  }

  private static byte[] read(InputStream stream, StringBuilder soFar) {
    var all = new ByteArrayOutputStream();
    byte[] chunk = new byte[1 << 16];
    try (stream) {
      for (int count = stream.read(chunk); count >= 0; count = stream.read(chunk)) {
        all.write(chunk, 0, count);
        synchronized (soFar) {
          if (soFar.length() < chunk.length) {
            soFar.append(new String(chunk, 0, count, StandardCharsets.UTF_8));
          }
          soFar.notifyAll();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all.toByteArray();
  }

  /** Whether any process of this machine has a text among its arguments. */
  static boolean isRunning(String argument) {
    File[] processes = new File("/proc").listFiles((folder, name) -> name.matches("\\d+"));
    assertThat(processes).isNotNull();
    for (File one : processes) {
      try {
        byte[] line = Files.readAllBytes(one.toPath().resolve("cmdline"));
        String[] words = new String(line, StandardCharsets.UTF_8).split("\0", -1);
        if (words.length > 1 && words[1].equals(argument)) {
          return true;
        }
      } catch (IOException e) {
        // It ended while we looked.
      }
    }
    return false;
  }
}
