package io.zett.sandbox.workspace;

import io.zett.sandbox.posix.UnixPath;

/**
 * A private directory cannot be private here: others could rename it and put theirs in its place.
 */
public final class UnsafeParentException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient UnixPath parent;

  UnsafeParentException(UnixPath parent, String why) {
    super(parent + ": " + why);
    this.parent = parent;
  }

  /** The directory that was to hold the private one. */
  public UnixPath parent() {
    return parent;
  }
}
