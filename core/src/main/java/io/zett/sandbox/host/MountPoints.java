package io.zett.sandbox.host;

import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Where the mounts of a process are, from its {@code mountinfo} (proc_pid_mountinfo(5)), without a
 * copy of any path. Not thread-safe.
 */
final class MountPoints {

  private static final String[] UNFINISHED = {"/oldroot", "/newroot"};

  private final KernelTable table;
  private ByteBuffer text = ByteBuffer.allocate(0);
  private long[] ids = new long[64];
  private int[] points = new int[64];
  private int count;

  /** Where the last one was found: mounts are asked for in about the order they were made in. */
  private int cursor;

  MountPoints(Posix posix) {
    table = new KernelTable(posix);
  }

  /**
   * Reads them anew.
   *
   * @param process {@code /proc/PID}
   * @param step for the exception
   * @throws SandboxSetupException if the launcher had not finished
   * @throws io.zett.sandbox.posix.PosixException if they cannot be read
   */
  void readAndCheck(UnixPath process, String step) {
    text = table.read(process.resolve("mountinfo"));
    count = 0;
    cursor = 0;
    for (int at = text.position(); at < text.limit(); ) {
      int end = at;
      while (end < text.limit() && text.get(end) != '\n') {
        end++;
      }
      add(at, end);
      at = end + 1;
    }
    for (String place : UNFINISHED) {
      for (int i = 0; i < count; i++) {
        int after = match(points[i], place);
        if (after >= 0 && (isEnd(after) || text.get(after) == '/')) {
          throw new SandboxSetupException(step, "the launcher had not finished at " + place);
        }
      }
    }
  }

  /** Whether anything is mounted at exactly this path, in Latin-1. */
  boolean isPoint(String path) {
    for (int tried = 0; tried < count; tried++) {
      int index = (cursor + tried) % count;
      if (isAt(index, path)) {
        cursor = index + 1;
        return true;
      }
    }
    return false;
  }

  /** Whether this mount is at exactly this path. */
  boolean isPoint(String path, long id) {
    for (int tried = 0; tried < count; tried++) {
      int index = (cursor + tried) % count;
      if (ids[index] == id) {
        cursor = index + 1;
        return isAt(index, path);
      }
    }
    return false;
  }

  private boolean isAt(int index, String path) {
    int after = match(points[index], path);
    return after >= 0 && isEnd(after);
  }

  /** A line: id, parent, device, root, point, and more. */
  private void add(int start, int end) {
    long id = 0;
    int at = start;
    for (; at < end && text.get(at) != ' '; at++) {
      id = id * 10 + text.get(at) - '0';
    }
    for (int spaces = 0; at < end && spaces < 4; at++) {
      if (text.get(at) == ' ') {
        spaces++;
      }
    }
    if (at >= end) {
      return; // No mount's line.
    }
    if (count == ids.length) {
      ids = Arrays.copyOf(ids, 2 * count);
      points = Arrays.copyOf(points, 2 * count);
    }
    ids[count] = id;
    points[count] = at;
    count++;
  }

  private boolean isEnd(int at) {
    return at >= text.limit() || text.get(at) == ' ' || text.get(at) == '\n';
  }

  /**
   * The index behind a path at this place, or -1. The kernel writes space, tab, line feed,
   * backslash and # as three octal digits.
   */
  private int match(int start, String path) {
    int at = start;
    for (int i = 0; i < path.length(); i++) {
      if (isEnd(at)) {
        return -1;
      }
      int c = text.get(at) & 0xff;
      at++;
      if (c == '\\' && at + 3 <= text.limit()) {
        c =
            (text.get(at) - '0') * 64 + (text.get(at + 1) - '0') * 8 + (text.get(at + 2) - '0')
                & 0xff;
        at += 3;
      }
      if (c != path.charAt(i)) {
        return -1;
      }
    }
    return at;
  }
}
