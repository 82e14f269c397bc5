package io.zett.sandbox.limits;

/**
 * The memory of one process that is nobody else's to give back: anonymous pages and shared memory,
 * not files that could be read again.
 */
final class ProcessMemory {
  private ProcessMemory() {}

  /**
   * An upper bound in bytes from {@code /proc/PID/status}: pages shared with a parent or a sibling
   * count in each of them. Cheap, and readable of any process.
   */
  static long upperBound(String status) {
    return kibibytes(status, "RssAnon:")
        + kibibytes(status, "RssShmem:")
        + kibibytes(status, "VmSwap:");
  }

  /**
   * The exact share in bytes, from {@code /proc/PID/smaps}: pages that n processes share count one
   * n-th in each. Pages of files count only where they were written to privately; so pages of the
   * command's scratch file systems, which are counted there, do not count twice. -1 when the
   * process does not let itself be looked at.
   */
  static long proportional(String smaps) {
    if (smaps.isEmpty()) {
      return -1;
    }
    long sum = 0;
    boolean memory = false;
    long pss = 0;
    for (String line : smaps.split("\n")) {
      int colon = line.indexOf(':');
      int blank = line.indexOf(' ');
      if (colon < 0 || (blank >= 0 && blank < colon)) {
        memory = isSharedMemory(line);
      } else if (line.startsWith("Pss:")) {
        pss = number(line);
        sum += memory ? pss : 0;
      } else if (line.startsWith("Anonymous:") && !memory) {
        sum += Math.min(pss, number(line));
      } else if (line.startsWith("SwapPss:")) {
        sum += number(line);
      }
    }
    return sum * 1024;
  }

  /** Anonymous shared memory, a memory file, or System V memory, by the name of the mapping. */
  private static boolean isSharedMemory(String header) {
    return header.contains("/dev/zero (deleted)")
        || header.contains("/memfd:")
        || header.contains("/SYSV");
  }

  static long kibibytes(String text, String key) {
    int at = text.indexOf("\n" + key);
    if (at < 0) {
      return 0;
    }
    int end = text.indexOf('\n', at + 1);
    return number(text.substring(at + 1, end < 0 ? text.length() : end)) * 1024;
  }

  private static long number(String line) {
    long value = 0;
    for (int i = line.indexOf(':') + 1; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c >= '0' && c <= '9') {
        value = value * 10 + (c - '0');
      }
    }
    return value;
  }
}
