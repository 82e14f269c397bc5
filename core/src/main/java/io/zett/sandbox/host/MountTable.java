package io.zett.sandbox.host;

import io.zett.sandbox.posix.FileStatus;
import java.util.ArrayList;
import java.util.List;

/** Reads the kernel's {@code mountinfo} (proc_pid_mountinfo(5)). */
final class MountTable {

  /**
   * One mount, with its paths as Latin-1 text.
   *
   * @param id as {@code statx(2)} tells it of a file
   * @param device of the file system; of btrfs and overlayfs a file's {@code st_dev} is another
   * @param root what of its file system is mounted
   * @param point where
   */
  record Mount(long id, long device, String root, String point) {}

  private MountTable() {}

  static List<Mount> parse(byte[] mountinfo) {
    List<Mount> mounts = new ArrayList<>();
    int start = 0;
    while (start < mountinfo.length) {
      int end = start;
      while (end < mountinfo.length && mountinfo[end] != '\n') {
        end++;
      }
      int device = skip(mountinfo, start, end, 2);
      int root = skip(mountinfo, device, end, 1);
      int point = skip(mountinfo, root, end, 1);
      int after = skip(mountinfo, point, end, 1);
      if (after < end) {
        mounts.add(
            new Mount(
                number(mountinfo, start),
                FileStatus.device(
                    number(mountinfo, device), number(mountinfo, colon(mountinfo, device) + 1)),
                unescape(mountinfo, root, point - 1),
                unescape(mountinfo, point, after - 1)));
      }
      start = end + 1;
    }
    return mounts;
  }

  private static long number(byte[] text, int from) {
    long value = 0;
    for (int at = from; at < text.length && text[at] >= '0' && text[at] <= '9'; at++) {
      value = value * 10 + text[at] - '0';
    }
    return value;
  }

  private static int colon(byte[] text, int from) {
    int at = from;
    while (at < text.length && text[at] != ':' && text[at] != ' ') {
      at++;
    }
    return at;
  }

  /** The index behind so many spaces. */
  private static int skip(byte[] text, int from, int end, int spaces) {
    int at = from;
    for (int left = spaces; at < end && left > 0; at++) {
      if (text[at] == ' ') {
        left--;
      }
    }
    return at;
  }

  /** The kernel writes space, tab, line feed, backslash and # as three octal digits. */
  private static String unescape(byte[] text, int start, int end) {
    StringBuilder plain = new StringBuilder(Math.max(0, end - start));
    for (int i = start; i < end; i++) {
      if (text[i] == '\\' && i + 4 <= end) {
        plain.append(
            (char) ((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0')));
        i += 3;
      } else {
        plain.append((char) (text[i] & 0xff));
      }
    }
    return plain.toString();
  }
}
