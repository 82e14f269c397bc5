package io.zett.sandbox.soak;

import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;

/**
 * A JVM that opens, runs and closes all the time, on several threads. It says {@code at work} once
 * what can be left behind has been looked for, and in a mapped file, which outlives it, what each
 * thread does.
 */
final class Restless {
  /** The variable with the number that sleeps; our own command line must not have it. */
  static final String SLEEP = "ZETT_RESTLESS_SLEEP";

  /** How many threads work, each with a byte of the file. */
  static final int THREADS = 4;

  static final byte OPENING = 'o';
  static final byte RUNNING = 'r';
  static final byte CLOSING = 'c';

  private static final int DIRECTORIES = 30;
  private static final int FILES = 50;

  private final String sleep = "sleep " + System.getenv(SLEEP);
  private final Path workspace;
  private final MappedByteBuffer phases;

  private Restless(Path workspace, MappedByteBuffer phases) {
    this.workspace = workspace;
    this.phases = phases;
  }

  private interface Work {
    void in(SandboxSession session) throws IOException;
  }

  /** Arguments: a workspace, in which {@code missing} may not be made, and the mapped file. */
  public static void main(String[] arguments) throws Exception {
    try (FileChannel file =
        FileChannel.open(
            Path.of(arguments[1]),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      MappedByteBuffer phases = file.map(FileChannel.MapMode.READ_WRITE, 0, THREADS);
      new Restless(Path.of(arguments[0]), phases).run();
    }
  }

  private void run() throws InterruptedException {
    CountDownLatch opened = new CountDownLatch(1);
    SandboxSession.Builder given =
        SandboxSession.builder()
            .workspace(workspace)
            .denyWrite(workspace.resolve("missing"))
            .memory("1GB");
    start(
        0,
        given,
        session -> {
          opened.countDown();
          for (int i = 0; i < 3; i++) {
            session.runAsync(sleep);
          }
          session.run("true").check();
        });
    start(1, SandboxSession.builder().memory("1GB").processes(100), this::runWhatHoldsOn);
    start(2, SandboxSession.builder(), Restless::fill);
    start(3, SandboxSession.builder().cpus(1), _ -> {});
    opened.await();
    System.out.println("at work");
  }

  private void start(int thread, SandboxSession.Builder builder, Work work) {
    // Not daemons: they keep the JVM.
    Thread.ofPlatform()
        .start(
            () -> {
              while (true) {
                once(thread, builder, work);
              }
            });
  }

  private void once(int thread, SandboxSession.Builder builder, Work work) {
    phases.put(thread, OPENING);
    try (SandboxSession session = builder.open()) {
      phases.put(thread, RUNNING);
      work.in(session);
      phases.put(thread, CLOSING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Daemons, stopped ones and those that ignore signals. */
  private void runWhatHoldsOn(SandboxSession session) {
    session.runAsync("trap '' TERM INT HUP; " + sleep + " & kill -STOP $!; " + sleep);
    session.run("( setsid sh -c '( setsid " + sleep + " & )' & ); " + sleep + " & true").check();
  }

  /** So much that deleting it takes a while. */
  private static void fill(SandboxSession session) throws IOException {
    for (int i = 0; i < DIRECTORIES; i++) {
      Path directory = Files.createDirectory(session.workspace().resolve("directory" + i));
      for (int j = 0; j < FILES; j++) {
        Files.createFile(directory.resolve("file" + j));
      }
    }
  }
}
