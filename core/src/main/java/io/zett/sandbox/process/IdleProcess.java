package io.zett.sandbox.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Mapping;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.util.List;

/**
 * A process that waits for the end of a pipe whose other end is here: it ends when it is closed, or
 * when this JVM does in whatever way.
 */
public final class IdleProcess implements AutoCloseable {
  private static final UnixPath SHELL = UnixPath.ofText("/bin/sh");
  private static final UnixPath NULL_DEVICE = UnixPath.ofText("/dev/null");
  private static final List<byte[]> ARGUMENTS =
      List.of(bytes("zett-keeper"), bytes("-c"), bytes("read _"));

  private final Posix posix;
  private final int pid;
  private final int pipe;
  private boolean closed;

  private IdleProcess(Posix posix, int pid, int pipe) {
    this.posix = posix;
    this.pid = pid;
    this.pipe = pipe;
  }

  /**
   * Starts one.
   *
   * @throws PosixException if it cannot be started
   */
  public static IdleProcess start(Posix posix) {
    int[] pipe = posix.pipe2(Constants.O_CLOEXEC);
    int nothing = -1;
    boolean started = false;
    try {
      nothing = posix.open(NULL_DEVICE, Constants.O_WRONLY, 0);
      List<Mapping> mappings =
          List.of(new Mapping(pipe[0], 0), new Mapping(nothing, 1), new Mapping(nothing, 2));
      int pid = posix.spawn(SHELL, ARGUMENTS, List.of(), mappings);
      started = true;
      return new IdleProcess(posix, pid, pipe[1]);
    } finally {
      posix.close(pipe[0]);
      if (nothing >= 0) {
        posix.close(nothing);
      }
      if (!started) {
        posix.close(pipe[1]);
      }
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }

  /** Its pid, which is nobody else's until it is closed. */
  public int pid() {
    return pid;
  }

  /** Ends it and waits for it; harmless to repeat. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    posix.close(pipe);
    posix.kill(pid, Constants.SIGKILL);
    posix.wait4(pid, 0);
  }
}
