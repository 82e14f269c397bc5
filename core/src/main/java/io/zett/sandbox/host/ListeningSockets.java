package io.zett.sandbox.host;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Paths of Unix sockets that accept connections or datagrams now.
 *
 * <p>{@code /proc/net/unix} lists those of this process's network namespace, by the path that they
 * were bound to. A relative one cannot be found and is left out.
 */
final class ListeningSockets {

  private static final UnixPath TABLE = UnixPath.ofText("/proc/net/unix");
  private static final int LONGEST = 16 << 20;
  private static final int LISTENING = 0x00010000;
  private static final int DATAGRAM = 2;

  // "ffff8880: 00000002 00000000 00010000 0001 01 12345 /path", the first word 8 or 16 wide.
  private static final int FIELDS_BEFORE_PATH = 7;

  private ListeningSockets() {}

  /** Absolute paths as Latin-1 text, as they were bound. */
  static Set<String> bound(Posix posix) {
    try {
      return parse(new String(posix.readFile(TABLE, LONGEST), StandardCharsets.ISO_8859_1));
    } catch (PosixException e) {
      return Set.of(); // A kernel without Unix sockets, or a /proc that hides them.
    }
  }

  static Set<String> parse(String table) {
    Set<String> paths = new LinkedHashSet<>();
    int start = table.indexOf('\n') + 1;
    while (start > 0 && start < table.length()) {
      int end = table.indexOf('\n', start);
      end = end < 0 ? table.length() : end;
      // A name may hold a line feed: what does not begin like a row continues the one before.
      while (end < table.length() && !startsRow(table, end + 1)) {
        int next = table.indexOf('\n', end + 1);
        end = next < 0 ? table.length() : next;
      }
      String path = accepting(table, start, end);
      if (path != null) {
        paths.add(path);
      }
      start = end + 1;
    }
    return paths;
  }

  private static boolean startsRow(String table, int at) {
    int colon = table.indexOf(':', at);
    if (at == table.length()) {
      return true;
    }
    if (colon != at + 8 && colon != at + 16) {
      return false;
    }
    for (int i = at; i < colon; i++) {
      if (Character.digit(table.charAt(i), 16) < 0) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable String accepting(String table, int start, int end) {
    int at = start;
    int flags = 0;
    int type = 0;
    for (int field = 0; field < FIELDS_BEFORE_PATH; field++) {
      while (at < end && table.charAt(at) == ' ') {
        at++;
      }
      int space = table.indexOf(' ', at);
      if (space < 0 || space >= end) {
        return null; // No path.
      }
      if (field == 3) {
        flags = Integer.parseUnsignedInt(table, at, space, 16);
      } else if (field == 4) {
        type = Integer.parseUnsignedInt(table, at, space, 16);
      }
      at = space;
    }
    at++;
    boolean accepts = (flags & LISTENING) != 0 || type == DATAGRAM;
    return accepts && at < end && table.charAt(at) == '/' ? table.substring(at, end) : null;
  }
}
