package io.zett.sandbox.posix;

/**
 * Paths as they were once seen, to be asked again and again whether all of them still are so.
 * Immutable and thread-safe.
 */
public interface SeenFiles {

  /**
   * Whether each path is the same file, with the same type, permissions, owner, group and, for a
   * link, target, for a socket as many names, and is as empty or not as it was; missing ones must
   * still be missing.
   */
  boolean areAsSeen();
}
