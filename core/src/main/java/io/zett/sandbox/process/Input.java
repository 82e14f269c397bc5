package io.zett.sandbox.process;

import io.zett.sandbox.posix.UnixPath;
import java.io.InputStream;

/** What a command reads from its standard input; its end is the input's end. */
public sealed interface Input {

  /** Nothing: {@code /dev/null}. */
  record None() implements Input {}

  /** These bytes; the array is not copied and must not change. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Bytes(byte[] bytes) implements Input {}

  /** A file's content from its beginning. The command gets a pipe, never the file itself. */
  record File(UnixPath path) implements Input {}

  /** A stream, read on a thread of its own; it is not closed. */
  record Stream(InputStream stream) implements Input {}

  /**
   * What can be read from a descriptor of the caller's, which is neither closed nor made
   * non-blocking (others share it).
   */
  record Descriptor(int fd) implements Input {}
}
