package io.zett.sandbox.rules;

import io.zett.sandbox.posix.UnixPath;
import java.util.Objects;

/**
 * One rule of a policy: it says something of a path and of all below it.
 *
 * @param path the path, links resolved
 * @param kind what it says
 */
public record PathRule(UnixPath path, Kind kind) {

  /** What a rule says. */
  public enum Kind {
    /** Can be read and written: the workspace and further directories. */
    WRITABLE,
    /** Cannot be written. */
    DENY_WRITE,
    /** The same, because the list of files says so that the host executes or obeys by itself. */
    DEVELOPER_FILE,
    /** Can be neither read nor written. */
    DENY_READ,
    /** The same, because the built-in list says so. */
    CREDENTIAL,
    /** Can be read; on a credential's own path it takes that one off the list. */
    ALLOW_READ
  }

  /** Refuses {@code null}. */
  public PathRule {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(kind, "kind");
  }
}
