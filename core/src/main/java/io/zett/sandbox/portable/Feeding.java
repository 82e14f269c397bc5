package io.zett.sandbox.portable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a command's input on a daemon thread. One that sits in a read that cannot be interrupted
 * ends when that returns.
 */
final class Feeding {
  private static final int CHUNK = 1 << 16;

  private final @Nullable Thread thread;
  private volatile boolean over;

  private Feeding(@Nullable Thread thread) {
    this.thread = thread;
  }

  /**
   * Begins.
   *
   * @param source what is read; it is not closed unless it says that it is ours. Null for nothing
   * @param target the command's end
   * @param failed told when the source fails
   */
  static Feeding start(
      @Nullable InputStream source, OutputStream target, Consumer<IOException> failed) {
    if (source == null) {
      closeQuietly(target);
      return new Feeding(null);
    }
    Feeding[] made = new Feeding[1];
    Thread thread =
        Thread.ofPlatform()
            .name("zett-sandbox-input")
            .daemon()
            .inheritInheritableThreadLocals(false)
            .unstarted(() -> made[0].feed(source, target, failed));
    thread.setContextClassLoader(null);
    made[0] = new Feeding(thread);
    thread.start();
    return made[0];
  }

  private void feed(InputStream source, OutputStream target, Consumer<IOException> failed) {
    byte[] bytes = new byte[CHUNK];
    try {
      for (int count = read(source, bytes, failed); count >= 0 && !over; ) {
        target.write(bytes, 0, count);
        target.flush();
        count = read(source, bytes, failed);
      }
    } catch (IOException e) {
      // The command reads no more.
    } finally {
      closeQuietly(target);
    }
  }

  private int read(InputStream source, byte[] bytes, Consumer<IOException> failed) {
    try {
      return source.read(bytes);
    } catch (IOException e) {
      report(failed, e);
    } catch (RuntimeException e) {
      report(failed, new IOException("the input stream failed", e));
    }
    return -1;
  }

  private void report(Consumer<IOException> failed, IOException cause) {
    if (!over) {
      failed.accept(cause);
    }
  }

  /** The command is dead. */
  void stop() {
    over = true;
    if (thread != null) {
      thread.interrupt();
    }
  }

  private static void closeQuietly(OutputStream target) {
    try {
      target.close();
    } catch (IOException e) {
      // The command is dead already.
    }
  }
}
