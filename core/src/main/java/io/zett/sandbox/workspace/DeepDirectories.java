package io.zett.sandbox.workspace;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Moves what lies too deep to the top of the tree, under numbered names. */
final class DeepDirectories {

  private final Posix posix;
  private final Descent descent;
  private final OpenDirectory top;
  private long lifted;
  private long taken;

  DeepDirectories(Posix posix, Descent descent, OpenDirectory top) {
    this.posix = posix;
    this.descent = descent;
    this.top = top;
  }

  /** The next one that was moved and may still be there; null if there is none. */
  byte @Nullable [] next() {
    return taken < lifted ? name(taken++) : null;
  }

  /** Moves a directory up; false if that is refused. */
  boolean lift(OpenDirectory in, byte[] name) {
    try {
      rename(in, name);
      return true;
    } catch (PosixException e) {
      return e.errno() == Errno.EACCES && liftUnlocked(in, name);
    }
  }

  /** Its own {@code ..} changes, so the moved directory must be writable, too. */
  private boolean liftUnlocked(OpenDirectory in, byte[] name) {
    in.makeWritable();
    top.makeWritable();
    try {
      descent.unlock(in.fd(), name);
      rename(in, name);
      return true;
    } catch (PosixException e) {
      return false;
    }
  }

  private void rename(OpenDirectory in, byte[] name) {
    while (true) {
      try {
        int flags = Constants.RENAME_NOREPLACE;
        posix.renameat2(in.fd(), name, top.fd(), name(lifted++), flags);
        return;
      } catch (PosixException e) {
        if (e.errno() != Errno.EEXIST) {
          throw e;
        }
      }
    }
  }

  private static byte[] name(long number) {
    return (".zett-deep-" + number).getBytes(StandardCharsets.US_ASCII);
  }
}
