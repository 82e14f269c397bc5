package io.zett.sandbox.engine;

import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A path in a workspace as a caller gives it, without the disk. {@code ..} is taken from the text,
 * which is exact, since no component may be a link.
 *
 * @param shown the path as it was given, for messages
 * @param full the absolute path
 * @param names the components from the workspace; none for the workspace itself
 */
record InnerPath(String shown, UnixPath full, List<byte[]> names) {
  /** Eight times what the kernel takes at once; who deletes and lists can go deeper in steps. */
  private static final int MOST_BYTES = 32_768;

  InnerPath {
    names = List.copyOf(names);
  }

  /**
   * Of a text, as UTF-8.
   *
   * @throws IllegalArgumentException if it cannot be one, or leads out of the workspace
   */
  static InnerPath of(UnixPath workspace, String text) {
    return of(workspace, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Of a path, byte for byte. */
  static InnerPath of(UnixPath workspace, Path path) {
    UnixPath absolute = UnixPath.of(workspace.toPath().resolve(path).normalize());
    return of(workspace, path.toString().isEmpty() ? new byte[0] : absolute.bytes());
  }

  private static InnerPath of(UnixPath workspace, byte[] bytes) {
    String shown = new String(bytes, StandardCharsets.UTF_8);
    String raw = new String(bytes, StandardCharsets.ISO_8859_1);
    if (raw.isEmpty()) {
      throw refused(shown, "is empty; \".\" is the workspace");
    }
    if (raw.indexOf('\0') >= 0) {
      throw refused(shown.replace('\0', '?'), "holds a NUL character; leave it out");
    }
    if (bytes.length > MOST_BYTES) {
      throw refused(
          shown.substring(0, 40) + "…", "is longer than " + MOST_BYTES + " bytes; name less");
    }
    if (raw.equals("~") || raw.startsWith("~/")) {
      throw refused(shown, "\"~\" is expanded by a shell only; write ./~ for a file of that name");
    }
    List<String> below = components(workspace, raw, shown);
    List<byte[]> names = new ArrayList<>();
    below.forEach(name -> names.add(name.getBytes(StandardCharsets.ISO_8859_1)));
    String relative = String.join("/", below);
    UnixPath full =
        below.isEmpty()
            ? workspace
            : workspace.resolve(relative.getBytes(StandardCharsets.ISO_8859_1));
    return new InnerPath(shown, full, names);
  }

  private static List<String> components(UnixPath workspace, String raw, String shown) {
    List<String> top = raw.startsWith("/") ? split(workspace.latin1()) : List.of();
    List<String> names = new ArrayList<>();
    for (String name : split(raw)) {
      if (!name.equals("..")) {
        names.add(name);
      } else if (names.isEmpty()) {
        throw outside(workspace, shown);
      } else {
        names.removeLast();
      }
    }
    if (names.size() < top.size() || !names.subList(0, top.size()).equals(top)) {
      throw outside(workspace, shown);
    }
    return names.subList(top.size(), names.size());
  }

  private static List<String> split(String raw) {
    List<String> names = new ArrayList<>();
    for (String name : raw.split("/")) {
      if (!name.isEmpty() && !name.equals(".")) {
        names.add(name);
      }
    }
    return names;
  }

  private static IllegalArgumentException outside(UnixPath workspace, String shown) {
    return refused(
        shown, "is not in the workspace " + workspace + "; give a path relative to it or below it");
  }

  private static IllegalArgumentException refused(String shown, String problem) {
    return new IllegalArgumentException("path: " + (shown.isEmpty() ? "" : shown + ": ") + problem);
  }

  /** Whether it is the workspace itself. */
  boolean isTop() {
    return names.isEmpty();
  }

  /** The path of its first components. */
  UnixPath prefix(int depth) {
    UnixPath path = full;
    for (int above = names.size(); above > depth; above--) {
      UnixPath parent = path.parent();
      path = parent == null ? UnixPath.ROOT : parent;
    }
    return path;
  }
}
