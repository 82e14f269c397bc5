package io.zett.sandbox.cases.shortage;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.ResourceLimit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A bound on the processes and threads of this JVM and all that it starts. */
interface Bound {
  /** RLIMIT_NPROC (asm-generic/resource.h). */
  int NPROC = 6;

  /** Allows so many more than there are; a negative number allows all. */
  void allow(int more);

  /** That of a control group that this JVM is in, alone. */
  static Bound ofGroup(Path group) {
    return more -> {
      try {
        String now = Files.readString(group.resolve("pids.current")).strip();
        String most = more < 0 ? "max" : Long.toString(Long.parseLong(now) + more);
        Files.writeString(group.resolve("pids.max"), most);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  /** RLIMIT_NPROC of this JVM: it counts all that this user has anywhere. */
  static Bound ofUser() {
    Posix posix = Posix.system();
    ResourceLimit before = posix.getrlimit(0, NPROC);
    return more -> {
      long most = more < 0 ? before.soft() : tasks(posix.geteuid()) + more;
      posix.setrlimit(0, NPROC, new ResourceLimit(most, before.hard()));
    };
  }

  private static long tasks(int user) {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
      long tasks = 0;
      for (Path process : processes) {
        tasks += tasks(process, user);
      }
      return tasks;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long tasks(Path process, int user) {
    try {
      String status = Files.readString(process.resolve("status"), StandardCharsets.ISO_8859_1);
      Matcher owned =
          Pattern.compile("(?s)\nUid:\t" + user + "\t.*\nThreads:\t(\\d+)").matcher(status);
      return owned.find() ? Long.parseLong(owned.group(1)) : 0;
    } catch (IOException e) {
      return 0; // gone
    }
  }
}
