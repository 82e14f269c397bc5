package io.zett.sandbox.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The caller's standard input, as a descriptor for the engine. */
final class StandardInput {
  /** No input: the command finds an empty one. */
  static final int NONE = -1;

  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private StandardInput() {}

  /**
   * Descriptor 0, unless the caller closed it ({@code <&-}). Then the first file that the JVM keeps
   * open for itself sits there, which is the image of its modules, and must not be fed to a
   * command.
   */
  static int descriptor() {
    if (!Files.isDirectory(DESCRIPTORS)) {
      return 0; // no proc file system to ask
    }
    Path zero = DESCRIPTORS.resolve("0");
    try {
      return Files.exists(zero) && Files.isSameFile(zero, modules()) ? NONE : zeroIfOpen(zero);
    } catch (IOException e) {
      return 0;
    }
  }

  private static int zeroIfOpen(Path zero) {
    // Not followed: a pipe's link leads nowhere.
    return Files.isSymbolicLink(zero) ? 0 : NONE;
  }

  private static Path modules() {
    return Path.of(System.getProperty("java.home"), "lib", "modules");
  }
}
