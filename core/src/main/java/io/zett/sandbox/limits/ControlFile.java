package io.zett.sandbox.limits;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.ByteBuffer;

/** Reads and writes the small text files of a control group or of {@code /proc}. */
final class ControlFile {
  private static final int LARGEST = 256 * 1024;

  private ControlFile() {}

  static void write(Posix posix, UnixPath file, String value) {
    int fd = posix.open(file, Constants.O_WRONLY, 0);
    try {
      long count = posix.write(fd, ByteBuffer.wrap(value.getBytes(ISO_8859_1)));
      if (count < 0) {
        throw new PosixException((int) -count, "write", file + " (" + value.strip() + ")");
      }
    } finally {
      posix.close(fd);
    }
  }

  static String read(Posix posix, UnixPath file) {
    return new String(posix.readFile(file, LARGEST), ISO_8859_1);
  }

  /** The file's text, or an empty one where there is no such file or it may not be read. */
  static String readIfAny(Posix posix, UnixPath file) {
    try {
      return read(posix, file);
    } catch (PosixException e) {
      e.throwIfShortage();
      return "";
    }
  }

  static boolean exists(Posix posix, UnixPath file) {
    try {
      return posix.lstat(file) != null;
    } catch (PosixException e) {
      if (e.errno() == Errno.EACCES) {
        return false;
      }
      throw e;
    }
  }

  /** The number behind a key of a file of {@code key value} lines, or -1. */
  static long value(String text, String key) {
    for (String line : text.split("\n")) {
      if (line.startsWith(key)
          && line.length() > key.length()
          && line.charAt(key.length()) == ' ') {
        return number(line.substring(key.length() + 1));
      }
    }
    return -1;
  }

  /** The number that a file holds, or -1. */
  static long number(String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
