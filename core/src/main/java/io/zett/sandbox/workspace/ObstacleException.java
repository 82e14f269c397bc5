package io.zett.sandbox.workspace;

import io.zett.sandbox.posix.FileStatus;
import java.io.Serial;

/** Something that is not what it has to be stands at a component of a path. */
public final class ObstacleException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final int depth;
  private final Kind kind;

  /** What stands in the way. */
  public enum Kind {
    /** A symbolic link. */
    LINK,
    /** A directory, where a file has to be. */
    DIRECTORY,
    /** A regular file, where a directory has to be. */
    FILE,
    /** A FIFO, a socket or a device. */
    SPECIAL,
    /** Something that is gone already, or has become what it has to be. */
    EXCHANGED;

    /** Of a file that exists. */
    static Kind of(FileStatus status) {
      if (status.isSymlink()) {
        return LINK;
      }
      return status.isDirectory() ? DIRECTORY : status.isRegular() ? FILE : SPECIAL;
    }
  }

  ObstacleException(int depth, Kind kind) {
    super(kind + " at component " + depth);
    this.depth = depth;
    this.kind = kind;
  }

  /** How many components lead to it, itself included. */
  public int depth() {
    return depth;
  }

  /** What it is. */
  public Kind kind() {
    return kind;
  }
}
