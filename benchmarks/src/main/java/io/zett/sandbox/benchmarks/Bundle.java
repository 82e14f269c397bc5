package io.zett.sandbox.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A container that runs {@code true} with the system's programs, in namespaces of its own. */
final class Bundle {
  private Bundle() {}

  /** Writes it into a folder, which it returns. */
  static Path write(Path folder) throws IOException {
    try (InputStream in = Bundle.class.getResourceAsStream("bundle.json")) {
      Files.copy(Objects.requireNonNull(in), folder.resolve("config.json"));
    }
    Path root = Files.createDirectory(folder.resolve("rootfs"));
    for (String directory : List.of("usr", "proc", "dev", "tmp")) {
      Files.createDirectory(root.resolve(directory));
    }
    for (String link : List.of("bin", "sbin", "lib", "lib64")) {
      Files.createSymbolicLink(root.resolve(link), Path.of("usr", link));
    }
    return folder;
  }
}
