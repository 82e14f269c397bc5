package io.zett.sandbox.cases.shortage;

import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The library's classes. An application has them in a jar that stays open; from a folder each takes
 * a descriptor when it is first used.
 */
final class Classes {
  private Classes() {}

  /** Loads all. */
  static void load() throws Exception {
    Path place =
        Path.of(SandboxSession.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(place)) {
      for (Path file : below(place)) {
        String name =
            place.relativize(file).toString().replace('/', '.').replaceAll("\\.class$", "");
        if (!name.endsWith("-info")) {
          Class.forName(name);
        }
      }
    }
  }

  private static List<Path> below(Path place) throws IOException {
    try (Stream<Path> all = Files.walk(place)) {
      return all.filter(file -> file.toString().endsWith(".class")).toList();
    }
  }
}
