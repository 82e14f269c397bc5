package io.zett.sandbox.rules;

import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;

/**
 * One entry of the list of credentials: a file or directory, or, with one {@code *} in the last
 * component, all names of that form in a directory.
 *
 * @param path absolute, or relative to a home directory
 * @param about what it is, in a few words
 */
public record Credential(String path, String about) {

  /**
   * Checks the form.
   *
   * @throws IllegalArgumentException if the path is empty, has a component {@code ..}, or a {@code
   *     *} elsewhere than once in the last component
   */
  public Credential {
    int star = path.indexOf('*');
    boolean oddStar = star >= 0 && (path.lastIndexOf('*') != star || path.indexOf('/', star) >= 0);
    if (path.isEmpty() || path.endsWith("/") || ("/" + path + "/").contains("/../") || oddStar) {
      throw new IllegalArgumentException("not a credential's path: \"" + path + "\"");
    }
  }

  /** Whether it is the same for every home directory. */
  public boolean absolute() {
    return path.startsWith("/");
  }

  /** Whether it stands for all names of a form; then {@link #matches} tells which. */
  public boolean pattern() {
    return path.indexOf('*') >= 0;
  }

  /** Where it is for a home directory; a pattern's last component still holds the {@code *}. */
  public UnixPath in(UnixPath home) {
    return absolute() ? UnixPath.ofText(path) : home.resolve(path);
  }

  /** The directory that it is in. */
  public UnixPath directory(UnixPath home) {
    UnixPath parent = in(home).parent();
    return parent == null ? UnixPath.ROOT : parent;
  }

  /**
   * Whether a name in {@link #directory} is meant.
   *
   * @param name the bytes of a file's name
   */
  public boolean matches(byte[] name) {
    String last = path.substring(path.lastIndexOf('/') + 1);
    String wanted = new String(last.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    String given = new String(name, StandardCharsets.ISO_8859_1);
    int star = wanted.indexOf('*');
    return star < 0
        ? given.equals(wanted)
        : given.length() >= wanted.length() - 1
            && given.startsWith(wanted.substring(0, star))
            && given.endsWith(wanted.substring(star + 1));
  }
}
