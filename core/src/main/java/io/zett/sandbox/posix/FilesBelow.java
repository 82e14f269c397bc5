package io.zett.sandbox.posix;

/** Paths relative to a directory, ready to be looked at in one of many directories. Thread-safe. */
public interface FilesBelow {

  /** What is told of each file: its device, its inode, and the mount it was reached through. */
  int FIELDS = 3;

  /**
   * Looks at all of them; a link in the last place is not followed.
   *
   * @param directory a descriptor
   * @param found gets {@link #FIELDS} numbers for each path, in order; -1 where nothing was found,
   *     and 0 for the mount before kernel 5.8
   */
  void look(int directory, long[] found);
}
