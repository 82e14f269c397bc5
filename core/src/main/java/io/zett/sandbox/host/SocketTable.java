package io.zett.sandbox.host;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The sockets of one network namespace that accept connections or datagrams and have a path, as its
 * {@code net/unix} lists them (proc_net(5)). The table changes with every socket that anybody
 * opens, so only the rows that matter are compared with those of the time before. Not thread-safe.
 */
final class SocketTable {

  private static final int LISTENING = 0x00010000;
  private static final int DATAGRAM = 2;

  /** What stands for the NUL that the name of an abstract socket begins with. */
  private static final byte ABSTRACT = '@';

  // "ffff8880: 00000002 00000000 00010000 0001 01 12345 /path", the first word 8 or 16 wide.
  private static final int FIELDS_BEFORE_PATH = 7;

  private List<Row> rows = List.of();

  /**
   * A socket that accepts.
   *
   * @param path as it was bound, in Latin-1
   * @param inode the socket's own number
   */
  record Row(String path, long inode) {}

  /** The rows that a table holds; the same list as before while none has changed. */
  List<Row> rows(ByteBuffer text) {
    if (!isKnown(text)) {
      rows = parse(text);
    }
    return rows;
  }

  private boolean isKnown(ByteBuffer text) {
    Paths paths = new Paths(text);
    for (Row row : rows) {
      if (!paths.next() || !paths.is(row)) {
        return false;
      }
    }
    return !paths.next();
  }

  static List<Row> parse(ByteBuffer table) {
    List<Row> found = new ArrayList<>();
    Paths paths = new Paths(table);
    while (paths.next()) {
      found.add(paths.row());
    }
    return List.copyOf(found);
  }

  /** Goes from path to path of a table without copying any. */
  private static final class Paths {
    private final ByteBuffer table;
    private int row;
    private int start;
    private int end;
    private long inode;

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

    boolean is(Row known) {
      String path = known.path;
      if (known.inode != inode || path.length() != end - start) {
        return false;
      }
      for (int i = 0; i < path.length(); i++) {
        if (path.charAt(i) != (table.get(start + i) & 0xff)) {
          return false;
        }
      }
      return true;
    }

    Row row() {
      byte[] bytes = new byte[end - start];
      table.get(start, bytes);
      return new Row(new String(bytes, ISO_8859_1), inode);
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

    /** Whether the row is of a socket that accepts and has a path; begins the path. */
    private boolean isAccepting() {
      int at = row;
      long flags = 0;
      long type = 0;
      inode = 0;
      for (int field = 0; field < FIELDS_BEFORE_PATH; field++) {
        while (at < end && table.get(at) == ' ') {
          at++;
        }
        int from = at;
        while (at < end && table.get(at) != ' ') {
          at++;
        }
        if (at == end) {
          return false; // No path.
        }
        switch (field) {
          case 3 -> flags = number(from, at, 16);
          case 4 -> type = number(from, at, 16);
          case 6 -> inode = number(from, at, 10);
          default -> {}
        }
      }
      start = at + 1;
      boolean accepts = (flags & LISTENING) != 0 || type == DATAGRAM;
      return accepts && start < end && table.get(start) != ABSTRACT;
    }

    private long number(int from, int to, int radix) {
      long value = 0;
      for (int at = from; at < to; at++) {
        value = value * radix + Math.max(0, Character.digit(table.get(at), radix));
      }
      return value;
    }
  }
}
