package io.zett.sandbox.workspace;

import static io.zett.sandbox.posix.Constants.AT_REMOVEDIR;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import java.nio.charset.StandardCharsets;

/**
 * Takes a placeholder away without ever deleting a file of the host's that has just replaced it.
 *
 * <p>There is no "unlink if it is this inode". So a file is first renamed, then looked at: what
 * turns out to be the host's is put back. For that instant the host does not find it under its
 * name; an unlink would have deleted it.
 */
final class Removal {

  private static final int MOST_ATTEMPTS = 16;

  private Removal() {}

  /**
   * Removes the name if it still is this empty placeholder.
   *
   * @param scheme tells others' placeholders
   * @return false if the placeholder has content, and so is one no more
   */
  static boolean isTakenAway(Slot slot, FileStatus mine, PlaceholderScheme scheme) {
    if (mine.isDirectory()) {
      // rmdir removes only what is empty.
      int errno = OpenDirectory.unlink(slot.posix(), slot.folder(), slot.name(), AT_REMOVEDIR);
      return errno != Errno.ENOTEMPTY && errno != Errno.EEXIST;
    }
    if (mine.size() != 0) {
      return false;
    }
    byte[] aside = slot.passingName();
    try {
      if (!isRenamed(slot, slot.name(), aside)) {
        aside = randomName(slot.posix(), aside);
        if (!isRenamed(slot, slot.name(), aside)) {
          return true; // left to the next one
        }
      }
    } catch (PosixException e) {
      if (e.errno() == Errno.EINVAL) { // no RENAME_NOREPLACE here; the window is two calls wide
        OpenDirectory.unlink(slot.posix(), slot.folder(), slot.name(), 0);
      }
      return true;
    }
    return isSettled(slot, slot.under(aside), mine, scheme);
  }

  private static boolean isSettled(
      Slot slot, Slot aside, FileStatus mine, PlaceholderScheme scheme) {
    FileStatus moved = aside.status();
    if (moved != null && moved.isSameFile(mine) && moved.size() == 0) {
      OpenDirectory.unlink(slot.posix(), slot.folder(), aside.name(), 0);
      return true;
    }
    return !isPutBack(slot, aside, scheme) || moved == null || !moved.isSameFile(mine);
  }

  /** Nothing of the host's is deleted: if it has made yet another one, both are kept. */
  private static boolean isPutBack(Slot slot, Slot aside, PlaceholderScheme scheme) {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      if (isRenamed(slot, aside.name(), slot.name())) {
        return true;
      }
      FileStatus there = slot.status();
      if (there != null && !Slot.isPlausible(there)) {
        discard(slot, aside, scheme);
        return false;
      }
      if (there != null && isExchanged(slot, aside.name())) {
        return isOlderPutBack(slot, aside, scheme);
      }
    }
    return false;
  }

  /** The exchange was meant for a placeholder that was quicker, which nobody finds any more. */
  private static boolean isOlderPutBack(Slot slot, Slot aside, PlaceholderScheme scheme) {
    FileStatus replaced = aside.status();
    if (replaced != null && !Slot.isPlausible(replaced)) {
      return !isExchanged(slot, aside.name()); // the host had just put a newer one there
    }
    discard(slot, aside, scheme);
    return true;
  }

  /**
   * Removes a placeholder that has lost its name. It is looked at under a name that nobody else
   * knows, so that nothing else is removed; and if it is none, it stays.
   */
  private static void discard(Slot slot, Slot aside, PlaceholderScheme scheme) {
    Slot hidden = slot.under(randomName(slot.posix(), slot.passingName()));
    if (!isRenamed(slot, aside.name(), hidden.name())) {
      return;
    }
    FileStatus status = hidden.status();
    if (status != null
        && status.isRegular()
        && Slot.isPlausible(status)
        && scheme.recognizes(hidden, status)) {
      OpenDirectory.unlink(slot.posix(), slot.folder(), hidden.name(), 0);
    } else if (!isRenamed(slot, hidden.name(), slot.name())) {
      isRenamed(slot, hidden.name(), aside.name());
    }
  }

  private static boolean isExchanged(Slot slot, byte[] aside) {
    try {
      int flags = Constants.RENAME_EXCHANGE;
      slot.posix().renameat2(slot.folder(), aside, slot.folder(), slot.name(), flags);
      return true;
    } catch (PosixException e) {
      return false;
    }
  }

  private static boolean isRenamed(Slot slot, byte[] from, byte[] to) {
    try {
      int flags = Constants.RENAME_NOREPLACE;
      slot.posix().renameat2(slot.folder(), from, slot.folder(), to, flags);
      return true;
    } catch (PosixException e) {
      if (e.errno() == Errno.EEXIST) {
        return false;
      }
      throw e;
    }
  }

  /** For when somebody else uses the usual name at this moment. */
  static byte[] randomName(Posix posix, byte[] usual) {
    String name = new String(usual, StandardCharsets.US_ASCII);
    String random = new String(PrivateNames.next(posix), StandardCharsets.US_ASCII);
    return (name + random.substring(4)).getBytes(StandardCharsets.US_ASCII);
  }
}
