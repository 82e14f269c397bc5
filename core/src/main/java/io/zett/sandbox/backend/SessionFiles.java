package io.zett.sandbox.backend;

import io.zett.sandbox.posix.UnixPath;

/**
 * Files of a session that are mounted over others; all in one directory that is the session's own.
 *
 * @param maskFile an empty file with mode 000
 * @param maskDirectory an empty directory with mode 000
 * @param emptySettings Maven settings without any content
 * @param passwd accounts as commands see them when root calls
 * @param group groups likewise
 */
public record SessionFiles(
    UnixPath maskFile,
    UnixPath maskDirectory,
    UnixPath emptySettings,
    UnixPath passwd,
    UnixPath group) {

  /** The content of {@link #emptySettings}. */
  public static final String EMPTY_SETTINGS = "<settings/>\n";

  /** The directory that they are in. */
  public UnixPath directory() {
    UnixPath parent = maskFile.parent();
    return parent == null ? UnixPath.ROOT : parent;
  }

  /** The session's own directory, which that one is in. */
  public UnixPath session() {
    UnixPath parent = directory().parent();
    return parent == null ? UnixPath.ROOT : parent;
  }

  /** Where temporary files go when the sandbox has no {@code /tmp} of its own; may be missing. */
  public UnixPath scratch() {
    return session().resolve("scratch");
  }

  /** The private home when the sandbox can mount none; may be missing. */
  public UnixPath home() {
    return session().resolve("home");
  }
}
