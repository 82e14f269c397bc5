package io.zett.sandbox.soak;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Processes by their session, setsid(2). */
final class SessionProcesses {
  private static final int STATE = 1; // field 3 of stat, proc(5), the first after the name
  private static final int SESSION = 4;

  private SessionProcesses() {}

  /** Those of this session that live; who adopts a dead one may take long to reap it. */
  static List<Long> of(long session) {
    List<Long> found = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
      for (Path process : processes) {
        String stat = read(process.resolve("stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).split(" ", -1);
        if (fields.length > SESSION
            && fields[SESSION].equals(Long.toString(session))
            && !fields[STATE].equals("Z")
            && !fields[STATE].equals("X")) {
          found.add(Long.valueOf(process.getFileName().toString()));
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return found;
  }

  /**
   * Whether it is a launcher, which sets a sandbox up or waits for its end, and runs nothing of a
   * command's. One that was left in the middle ends when the sandbox is complete and nobody wants
   * it, or, if it waits for a user-id map that nobody will write, by a later opening.
   */
  static boolean isLauncher(long pid) {
    return read(Path.of("/proc/" + pid + "/cmdline")).startsWith("zett-sandbox\0");
  }

  /** What /proc says of it, for people. */
  static String describe(long pid) {
    Path process = Path.of("/proc/" + pid);
    return read(process.resolve("stat")).strip()
        + ", started as "
        + read(process.resolve("cmdline")).replace('\0', ' ')
        + ", user-id map "
        + read(process.resolve("uid_map")).strip()
        + ", waits in "
        + read(process.resolve("wchan"));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return ""; // gone
    }
  }
}
