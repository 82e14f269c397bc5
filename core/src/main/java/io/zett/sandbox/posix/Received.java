package io.zett.sandbox.posix;

/**
 * A read from a socket that passes credentials and descriptors.
 *
 * @param count bytes read, 0 at the end, or the negated error number
 * @param pid the sender's process in the reader's namespace; -1 when unknown
 * @param descriptor one that came with it, which is the reader's from here on; -1 without
 */
public record Received(long count, int pid, int descriptor) {

  /** What the kernel refused. */
  public static Received refused(int errno) {
    return new Received(-errno, -1, -1);
  }
}
