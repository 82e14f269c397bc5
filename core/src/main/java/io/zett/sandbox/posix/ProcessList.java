package io.zett.sandbox.posix;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The processes that a {@code /proc} shows, for whoever asks again and again. Not thread-safe. */
public final class ProcessList {

  /** Where processes begin in /proc, after what it has beside them (fs/proc/internal.h). */
  private static final long FIRST_PROCESS = 258;

  /** More than any entry of {@code /proc} takes: a header of 19 bytes and a short name. */
  private static final int ENTRY_BYTES = 64;

  private final DirectoryCalls posix;
  private final int proc;
  private final int always;
  private final ByteBuffer entries;

  /**
   * A list of an open {@code /proc}, which stays the caller's.
   *
   * @param always a process that it shows in any case
   * @param bytes how much is read at once, 24 for each process
   */
  public ProcessList(DirectoryCalls posix, int proc, int always, int bytes) {
    this.posix = posix;
    this.proc = proc;
    this.always = always;
    this.entries = ByteBuffer.allocateDirect(bytes);
  }

  /**
   * The pids that it shows now, ascending, as its pid namespace counts them.
   *
   * @throws PosixException if it cannot be read
   */
  public int[] pids() {
    // Everything that /proc has beside processes stands before them: most of a look is saved.
    int[] pids = from(FIRST_PROCESS);
    // Another kernel counts otherwise.
    return Arrays.binarySearch(pids, always) >= 0 ? pids : from(0);
  }

  private int[] from(long position) {
    posix.seek(proc, position);
    int[] pids = {};
    boolean more;
    do {
      int[] some = posix.numbers(proc, entries);
      int before = pids.length;
      pids = before == 0 ? some : Arrays.copyOf(pids, before + some.length);
      if (before > 0) {
        System.arraycopy(some, 0, pids, before, some.length);
      }
      // A signal may cut a list short (fs/readdir.c); the next look has what is missing.
      more = entries.limit() > entries.capacity() - ENTRY_BYTES;
    } while (more);
    return pids;
  }
}
