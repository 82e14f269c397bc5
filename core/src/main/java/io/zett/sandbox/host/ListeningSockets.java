package io.zett.sandbox.host;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Paths of Unix sockets that accept connections or datagrams now.
 *
 * <p>{@code /proc/net/unix} lists those of this process's network namespace, by the path that they
 * were bound to. A relative one cannot be found and is left out. The table changes with every
 * socket that anybody opens, so only the rows that matter are compared with those of the time
 * before. Thread-safe.
 */
final class ListeningSockets {

  private static final UnixPath TABLE = UnixPath.ofText("/proc/net/unix");
  private static final int LISTENING = 0x00010000;
  private static final int DATAGRAM = 2;

  // "ffff8880: 00000002 00000000 00010000 0001 01 12345 /path", the first word 8 or 16 wide.
  private static final int FIELDS_BEFORE_PATH = 7;

  private final KernelTable table;
  private List<String> known = List.of();

  ListeningSockets(Posix posix) {
    this.table = new KernelTable(posix);
  }

  /**
   * Absolute paths as Latin-1 text, as they were bound; the same list as before while nothing has
   * changed.
   */
  synchronized List<String> bound() {
    ByteBuffer rows;
    try {
      rows = table.read(TABLE);
    } catch (PosixException e) {
      e.throwIfShortage();
      return List.of(); // A kernel without Unix sockets, or a /proc that hides them.
    }
    if (!isKnown(rows)) {
      known = parse(rows);
    }
    return known;
  }

  private boolean isKnown(ByteBuffer rows) {
    Paths paths = new Paths(rows);
    for (String path : known) {
      if (!paths.next() || !paths.is(path)) {
        return false;
      }
    }
    return !paths.next();
  }

  static List<String> parse(ByteBuffer table) {
    List<String> found = new ArrayList<>();
    Paths paths = new Paths(table);
    while (paths.next()) {
      found.add(paths.text());
    }
    return List.copyOf(found);
  }

  /** Goes from path to path of a table without copying any. */
  private static final class Paths {
    private final ByteBuffer table;
    private int row;
    private int start;
    private int end;

    Paths(ByteBuffer table) {
      this.table = table;
      this.row = lineAfter(table.position()); // The first row is a heading.
    }

    /** Goes to the next; false when there is none. */
    boolean next() {
      while (row < table.limit()) {
        int after = lineAfter(row);
        // A name may hold a line feed: what does not begin like a row continues the one before.
        while (after < table.limit() && !startsRow(after)) {
          after = lineAfter(after);
        }
        end = table.get(after - 1) == '\n' ? after - 1 : after;
        boolean found = isAccepting();
        row = after;
        if (found) {
          return true;
        }
      }
      return false;
    }

    boolean is(String path) {
      if (path.length() != end - start) {
        return false;
      }
      for (int i = 0; i < path.length(); i++) {
        if (path.charAt(i) != (table.get(start + i) & 0xff)) {
          return false;
        }
      }
      return true;
    }

    String text() {
      byte[] bytes = new byte[end - start];
      table.get(start, bytes);
      return new String(bytes, ISO_8859_1);
    }

    private int lineAfter(int at) {
      int next = at;
      while (next < table.limit() && table.get(next) != '\n') {
        next++;
      }
      return Math.min(next + 1, table.limit());
    }

    private boolean startsRow(int at) {
      int digits = at;
      while (digits < table.limit() && Character.digit(table.get(digits), 16) >= 0) {
        digits++;
      }
      int width = digits - at;
      return (width == 8 || width == 16) && digits < table.limit() && table.get(digits) == ':';
    }

    /** Whether the row is of a socket that accepts and has an absolute path; begins the path. */
    private boolean isAccepting() {
      int at = row;
      int flags = 0;
      int type = 0;
      for (int field = 0; field < FIELDS_BEFORE_PATH; field++) {
        while (at < end && table.get(at) == ' ') {
          at++;
        }
        int value = 0;
        while (at < end && table.get(at) != ' ') {
          value = value << 4 | Math.max(0, Character.digit(table.get(at), 16));
          at++;
        }
        if (at == end) {
          return false; // No path.
        }
        if (field == 3) {
          flags = value;
        } else if (field == 4) {
          type = value;
        }
      }
      start = at + 1;
      boolean accepts = (flags & LISTENING) != 0 || type == DATAGRAM;
      return accepts && start < end && table.get(start) == '/';
    }
  }
}
