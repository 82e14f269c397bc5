package io.zett.sandbox.workspace;

import static io.zett.sandbox.posix.Constants.AT_SYMLINK_NOFOLLOW;

import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * One name in one folder where a placeholder goes.
 *
 * @param folder descriptor of the folder ({@code O_PATH} is enough)
 * @param path the whole path, for messages
 * @param directory whether a directory is wanted there
 */
@SuppressWarnings("ArrayRecordComponent") // A name is bytes; slots are never compared.
record Slot(Posix posix, int folder, byte[] name, UnixPath path, boolean directory) {

  /** Nobody needs to write a placeholder; for others to see that, it can be read. */
  static final int FILE_MODE = 0444;

  static final int DIRECTORY_MODE = 0555;

  /** Another name in the same folder, for what belongs to the same path. */
  Slot under(byte[] other) {
    return new Slot(posix, folder, other, path, directory);
  }

  @Nullable FileStatus status() {
    return posix.statat(folder, name, AT_SYMLINK_NOFOLLOW);
  }

  /** Whether the name still leads to this open file. */
  boolean holds(int fd) {
    FileStatus now = status();
    return now != null && now.isSameFile(posix.fstat(fd));
  }

  /** What a placeholder looks like; the cheap half of the question whether it is one. */
  static boolean isPlausible(FileStatus status) {
    return status.isRegular()
        ? status.size() == 0 && status.permissions() == FILE_MODE
        : status.isDirectory() && (status.permissions() & 0777) == DIRECTORY_MODE;
  }

  /**
   * The name under which it is made or taken away, always the same, so that the next process finds
   * what a killed one has left.
   */
  byte[] passingName() {
    String hash = HexFormat.of().formatHex(Arrays.copyOf(sha256(name), 8));
    return (".zett-" + hash).getBytes(StandardCharsets.US_ASCII);
  }

  static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
