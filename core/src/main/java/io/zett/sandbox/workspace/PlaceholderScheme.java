package io.zett.sandbox.workspace;

import io.zett.sandbox.posix.FileStatus;

/** A way to tell placeholders from real files and to know whether somebody still needs one. */
sealed interface PlaceholderScheme permits TaggedPlaceholders, RegisteredPlaceholders {

  /** Whether what has this name, with this plausible status, is a placeholder of this scheme. */
  boolean recognizes(Slot slot, FileStatus status);

  /** Joins the placeholder that is there, or makes one. */
  Hold attempt(Slot slot);

  /** Whether the held placeholder is still there. */
  boolean isIntact(Slot slot, int lock);

  /** Gives it up; the last one takes it away. Does not close the lock. */
  void release(Slot slot, int lock);
}
