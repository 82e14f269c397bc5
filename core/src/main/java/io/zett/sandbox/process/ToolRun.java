package io.zett.sandbox.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Mapping;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.posix.Waited;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A short program of the system's that this library itself needs: not a user's command, not in a
 * sandbox. It is waited for, at most {@link #PATIENCE}.
 *
 * @param status its exit status, or 128+n after signal n
 * @param out its standard output
 * @param err its error output
 */
public record ToolRun(int status, String out, String err) {
  /** When it is killed. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final int LARGEST = 1 << 20;
  private static final UnixPath NULL_DEVICE = UnixPath.ofText("/dev/null");

  /**
   * Runs one with an empty input; not from the loop's thread.
   *
   * @param argv its own name first
   * @param env {@code NAME=value}
   * @throws PosixException if it cannot be started
   */
  public static ToolRun run(
      EventLoop loop, Posix posix, UnixPath program, List<byte[]> argv, List<byte[]> env) {
    int nothing = posix.open(NULL_DEVICE, Constants.O_RDONLY, 0);
    int out = -1;
    int err = -1;
    try {
      out = posix.memoryFile("out", false);
      err = posix.memoryFile("err", false);
      List<Mapping> mappings =
          List.of(new Mapping(nothing, 0), new Mapping(out, 1), new Mapping(err, 2));
      CompletableFuture<Integer> status = new CompletableFuture<>();
      loop.execute(() -> start(loop, posix, program, argv, env, mappings, status));
      int ended = await(status);
      return new ToolRun(ended, text(posix, out), text(posix, err));
    } finally {
      posix.close(nothing);
      if (out >= 0) {
        posix.close(out);
      }
      if (err >= 0) {
        posix.close(err);
      }
    }
  }

  private static int await(CompletableFuture<Integer> status) {
    try {
      return status.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof PosixException cause) {
        throw cause;
      }
      if (e.getCause() instanceof OutOfMemoryError cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** On the loop, whose thread is the one that may start processes. */
  private static void start(
      EventLoop loop,
      Posix posix,
      UnixPath program,
      List<byte[]> argv,
      List<byte[]> env,
      List<Mapping> mappings,
      CompletableFuture<Integer> status) {
    try {
      int pid = posix.spawn(program, argv, env, mappings);
      follow(loop, posix, pid, status);
    } catch (RuntimeException | OutOfMemoryError e) {
      status.completeExceptionally(e);
    }
  }

  private static void follow(
      EventLoop loop, Posix posix, int pid, CompletableFuture<Integer> status) {
    int pidfd = -1;
    try {
      pidfd = posix.pidfdOpen(pid, 0);
      int held = pidfd;
      Watch[] watch = new Watch[1];
      Timer patience =
          loop.schedule(PATIENCE, () -> posix.pidfdSendSignal(held, Constants.SIGKILL));
      watch[0] =
          loop.watch(
              held,
              Constants.EPOLLIN,
              _ -> {
                patience.cancel();
                loop.unwatch(watch[0]);
                posix.close(held);
                reap(posix, pid, status);
              });
    } catch (RuntimeException | OutOfMemoryError e) {
      // A child that nobody can watch must not stay.
      if (pidfd >= 0) {
        posix.close(pidfd);
      }
      posix.kill(pid, Constants.SIGKILL);
      posix.wait4(pid, 0);
      throw e;
    }
  }

  /** It is dead: this does not wait. */
  private static void reap(Posix posix, int pid, CompletableFuture<Integer> status) {
    try {
      Waited waited = Objects.requireNonNull(posix.wait4(pid, 0));
      status.complete(new Ending.Exited(waited.status(), 0).code());
    } catch (RuntimeException e) {
      status.completeExceptionally(e);
    }
  }

  private static String text(Posix posix, int file) {
    posix.seek(file, 0);
    return new String(posix.readFully(file, LARGEST, "output"), UTF_8);
  }
}
