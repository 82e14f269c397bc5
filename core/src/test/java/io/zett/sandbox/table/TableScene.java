package io.zett.sandbox.table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the rows of the table are about: a workspace, the host outside of it, a home. */
final class TableScene {

  /** A file of the host in {@code /tmp}. */
  static final String TEMPORARY = "TEMPORARY";

  /** The port of a server of the host. */
  static final String PORT = "PORT";

  private static final List<String> FILES =
      List.of(
          "W/file",
          "W/dir/inner",
          "W/a/other",
          "W/a/b/c/deep",
          "W/conf/key",
          "W/p/file",
          "W/.git/HEAD",
          "W/.git/config",
          "H/file",
          "H/real",
          "H/linked",
          "H/public/f",
          "home/notes",
          "home/.ssh/id");

  private static final List<String> DIRECTORIES =
      List.of("W/p/q", "W/e", "W/.git/hooks", "W/.git/objects", "W/.git/refs", "H/out", "E", "Wx");

  final Path base;

  TableScene(Path base) {
    this.base = base;
  }

  /** Makes it. */
  void set() throws IOException {
    for (String directory : DIRECTORIES) {
      Files.createDirectories(at(directory));
    }
    for (String file : FILES) {
      Files.createDirectories(at(file).getParent());
      Files.writeString(at(file), "SECRET\n");
    }
    Files.createSymbolicLink(at("W/link"), at("H/real"));
    Files.createSymbolicLink(at("H/link"), Path.of("linked"));
  }

  /** A path of it, or an absolute one. */
  Path at(String path) {
    return base.resolve(path);
  }
}
