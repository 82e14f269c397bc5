package io.zett.sandbox.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A random tree: directories, files, and links of every sort, under odd names. */
final class Layout {

  private static final String[] NAMES = {
    "a",
    "b",
    "c",
    ".git",
    ".env",
    "with space",
    "new\nline",
    "-rf",
    "qu'ote\"s",
    "$HOME",
    "*",
    "ä€",
    "tab\there",
    "back\\slash",
    "~",
    "x;true",
    "..c",
    "%41",
    "a.b"
  };

  /** An existing path of the tree. */
  record Entry(Path path, boolean directory, boolean link) {}

  final Path root;
  final List<Entry> entries = new ArrayList<>();
  private final Random random;

  Layout(Path root, Random random) {
    this.root = root;
    this.random = random;
  }

  /** Fills a directory. */
  void grow(Path directory, int depth) throws IOException {
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      Path path = directory.resolve(name());
      if (Files.exists(path, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
        continue;
      }
      int what = random.nextInt(10);
      if (what < 4 && depth > 0) {
        Files.createDirectory(path);
        entries.add(new Entry(path, true, false));
        grow(path, depth - 1);
      } else if (what < 8 || entries.isEmpty()) {
        Files.write(path, "content".getBytes(UTF_8));
        entries.add(new Entry(path, false, false));
      } else {
        Files.createSymbolicLink(path, target(path));
        entries.add(new Entry(path, false, true));
      }
    }
  }

  /** Absolute, relative, dangling, or to itself. */
  private Path target(Path link) {
    Path other = any();
    return switch (random.nextInt(5)) {
      case 0 -> other;
      case 1, 2 -> {
        Path relative = link.getParent().relativize(other);
        yield relative.toString().isEmpty() ? Path.of(".") : relative;
      }
      case 3 -> Path.of("nowhere", name());
      default -> link.getFileName();
    };
  }

  String name() {
    return NAMES[random.nextInt(NAMES.length)];
  }

  /** An existing path. */
  Path any() {
    return entries.get(random.nextInt(entries.size())).path();
  }

  /** A path for a rule: existing, or missing by one or two components. */
  Path some() {
    Path path = any();
    return switch (random.nextInt(6)) {
      case 0 -> path.resolve(name());
      case 1 -> path.resolve(name()).resolve(name());
      case 2 -> path.resolveSibling(name());
      default -> path;
    };
  }
}
