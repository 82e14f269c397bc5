package io.zett.sandbox.springai;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine around the sandbox. */
final class Host {
  private Host() {}

  /** A key in the home directory of this JVM, which the build has set for the tests. */
  static Path key(String content) throws IOException {
    Path key = home().resolve(".ssh/id_ed25519");
    Files.createDirectories(key.getParent());
    return Files.writeString(key, content);
  }

  /** A new directory that is no sandbox's, and not in a directory for temporary files. */
  static Path outside() throws IOException {
    return Files.createTempDirectory(Files.createDirectories(home()), "outside-");
  }

  private static Path home() {
    Path home = Path.of(System.getenv("HOME"));
    if (!home.endsWith(Path.of("target", "home"))) {
      throw new IllegalStateException("HOME is " + home + ", not one for tests");
    }
    return home;
  }

  /** Whether the command line of a process has a text in it. */
  static boolean runs(String mark) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : all) {
        if (commandLine(process).contains(mark)) {
          return true;
        }
      }
    }
    return false;
  }

  private static String commandLine(Path process) {
    try {
      return new String(
          Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // It has ended.
    }
  }
}
