package io.zett.sandbox.backend.bubblewrap;

import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.UnixPath;
import org.jspecify.annotations.Nullable;

/** One mount of a plan; none of them follows a link, all places are real paths. */
sealed interface Mount {

  /** Where. */
  UnixPath at();

  /**
   * The host's own file or directory at its own place.
   *
   * @param identity what was seen there
   */
  record Bind(UnixPath at, boolean writable, @Nullable FileStatus identity) implements Mount {}

  /** A file or directory of the session over another. */
  record Mask(UnixPath at, UnixPath by) implements Mount {}

  /** A hidden directory in which something is visible; made read-only at the end. */
  record Cover(UnixPath at) implements Mount {}

  /** Memory of bounded size that goes with the command. */
  record Scratch(UnixPath at, int mode, long size) implements Mount {}

  /** An empty directory of the system; made read-only at the end. */
  record Empty(UnixPath at) implements Mount {}

  /** A file of the host that is given back in a place that shows nothing else of it. */
  record GiveBack(UnixPath at, UnixPath source) implements Mount {}
}
