package io.zett.sandbox.workspace;

import static io.zett.sandbox.posix.Constants.O_CREAT;
import static io.zett.sandbox.posix.Constants.O_DIRECTORY;
import static io.zett.sandbox.posix.Constants.O_EXCL;
import static io.zett.sandbox.posix.Constants.O_NOFOLLOW;
import static io.zett.sandbox.posix.Constants.O_RDONLY;
import static io.zett.sandbox.posix.Constants.O_WRONLY;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;

/**
 * The files of a session that a sandbox puts in the place of the host's.
 *
 * <p>A mask is a regular file or a directory of mode 000, not {@code /dev/null}: {@code test -r}
 * says no, and git stops instead of taking an emptied file for a change.
 *
 * @param maskFile empty, mode 000
 * @param maskDirectory empty, mode 000
 * @param emptySettings an empty Maven {@code settings.xml}; Maven fails on an unreadable one
 * @param passwd the accounts a command sees
 * @param group the groups a command sees
 */
public record RunFolder(
    UnixPath maskFile,
    UnixPath maskDirectory,
    UnixPath emptySettings,
    UnixPath passwd,
    UnixPath group) {

  /** Readable whatever uid the command has inside; the folder around it is private. */
  private static final int READABLE = 0444;

  /**
   * Writes the files into a folder that holds none of them yet.
   *
   * @param folder a directory of this user, as {@link PrivateDirectory#run()}
   * @param settings content of {@code settings.xml}
   */
  public static RunFolder write(
      Posix posix, UnixPath folder, String settings, String passwd, String group) {
    int directory = posix.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    try {
      makeFile(posix, directory, "file000", 0, "");
      makeFile(posix, directory, "settings.xml", READABLE, settings);
      makeFile(posix, directory, "passwd", READABLE, passwd);
      makeFile(posix, directory, "group", READABLE, group);
      makeMaskDirectory(posix, directory);
    } finally {
      posix.close(directory);
    }
    return new RunFolder(
        folder.resolve("file000"),
        folder.resolve("dir000"),
        folder.resolve("settings.xml"),
        folder.resolve("passwd"),
        folder.resolve("group"));
  }

  private static void makeFile(Posix posix, int directory, String name, int mode, String content) {
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
    int fd = posix.openat(directory, bytes(name), flags, 0600);
    try {
      posix.writeFully(fd, bytes(content));
      posix.fchmod(fd, mode); // whatever the umask
    } finally {
      posix.close(fd);
    }
  }

  private static void makeMaskDirectory(Posix posix, int directory) {
    posix.mkdirat(directory, bytes("dir000"), 0700);
    int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
    int fd = posix.openat(directory, bytes("dir000"), flags, 0);
    try {
      posix.fchmod(fd, 0);
    } finally {
      posix.close(fd);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
