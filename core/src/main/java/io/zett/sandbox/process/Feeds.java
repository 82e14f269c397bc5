package io.zett.sandbox.process;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes the feed for an input. */
final class Feeds {

  private static final String STEP = "open the input";

  private Feeds() {}

  /**
   * A feed that has not begun; null where there is nothing to write.
   *
   * @param terminal whether {@code pipe} is a terminal, which only a stream can be written to
   * @param failed told when the source cannot be read
   * @throws SetupFailure if a file cannot be opened
   */
  static @Nullable Feed of(
      Input input,
      EventLoop loop,
      Posix posix,
      DescriptorSet owned,
      int pipe,
      boolean terminal,
      Consumer<Runnable> guard,
      Consumer<IOException> failed) {
    return switch (input) {
      case Input.None none -> null;
      case Input.Bytes(byte[] bytes) -> new BytesFeed(loop, posix, owned, pipe, guard, bytes);
      case Input.Stream(var stream) ->
          new StreamFeed(loop, posix, owned, pipe, guard, stream, terminal, failed);
      case Input.File(UnixPath path) ->
          new DescriptorFeed(loop, posix, owned, pipe, guard, open(posix, owned, path), failed);
      case Input.Descriptor(int fd) ->
          isOpen(posix, fd)
              ? new DescriptorFeed(loop, posix, owned, pipe, guard, fd, failed)
              : new BytesFeed(loop, posix, owned, pipe, guard, new byte[0]);
    };
  }

  private static int open(Posix posix, DescriptorSet owned, UnixPath path) {
    try {
      // Non-blocking: a FIFO without a writer must not hold up the loop.
      int flags = Constants.O_RDONLY | Constants.O_NONBLOCK | Constants.O_NOCTTY;
      int fd = owned.add(posix.open(path, flags, 0));
      if (posix.fstat(fd).isDirectory()) {
        throw new SetupFailure(STEP, Errno.EISDIR, path + ": " + Errno.describe(Errno.EISDIR));
      }
      return fd;
    } catch (PosixException e) {
      throw new SetupFailure(STEP, e.errno(), path + ": " + Errno.describe(e.errno()));
    }
  }

  /** A caller started with {@code <&-} has no standard input: an empty one then. */
  private static boolean isOpen(Posix posix, int fd) {
    try {
      posix.fcntl(fd, Constants.F_GETFD, 0);
      return true;
    } catch (PosixException e) {
      if (e.errno() == Errno.EBADF) {
        return false;
      }
      throw e;
    }
  }
}
