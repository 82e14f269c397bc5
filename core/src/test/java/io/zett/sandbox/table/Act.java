package io.zett.sandbox.table;

import io.zett.sandbox.backend.seatbelt.language.Attempt;
import io.zett.sandbox.backend.seatbelt.language.Attempt.Fact;
import java.util.List;

/**
 * What a command tries with a path; harmless where it works, and undone.
 *
 * @see #script
 */
enum Act {
  /** Reads a file, lists a directory. */
  READ("if [ -d \"$p\" ]; then ls -A \"$p\"; else cat \"$p\"; fi", "file-read-data"),
  /** Learns which file it is. */
  METADATA("[ \"$(stat -L -c %i \"$p\")\" = \"$inode\" ]", "file-read-metadata"),
  /** Opens what exists for writing. */
  WRITE(": >> \"$p\"", "file-write-data"),
  /** Makes a directory. */
  CREATE("mkdir \"$p\" && rmdir \"$p\"", "file-write-create"),
  /** Moves it away. */
  UNLINK(
      "mv -T \"$p\" moved && mv -T moved \"$p\" || { rm -rf moved; false; }", "file-write-unlink"),
  /** Sets the set-user-id bit of a file of its own. */
  SET_ID("cp /bin/true \"$p\" && chmod 4755 \"$p\" && rm \"$p\"", "file-write-setugid"),
  /** Connects to a Unix socket. */
  CONNECT(python("s = socket.socket(1); s.connect(p)"), "network-outbound"),
  /** Makes a Unix socket. */
  BIND(
      python("s = socket.socket(1); s.bind(p); os.unlink(p)"), "network-bind", "file-write-create"),
  /** Connects to a server of the host on the loopback interface, the port for a path. */
  CONNECT_TCP(
      python("s = socket.socket(); s.settimeout(9); s.connect((\"127.0.0.1\", int(p)))"),
      "network-outbound"),
  /** Listens on the loopback interface, the port for a path. */
  BIND_TCP(python("s = socket.socket(); s.bind((\"127.0.0.1\", 0))"), "network-bind");

  private final String script;
  private final List<String> operations;

  Act(String script, String... operations) {
    this.script = script;
    this.operations = List.of(operations);
  }

  private static String python(String text) {
    return "/usr/bin/python3 -c 'import os, socket, sys; p = sys.argv[1]; " + text + "' \"$p\"";
  }

  /** A shell text that succeeds where it works; its words are the path and the real inode. */
  String script() {
    return """
    p=$1 inode=$2
    case $p in
      TMPDIR/*) p=$TMPDIR/${p#*/} ;;
      HOME/*) p=$HOME/${p#*/} ;;
    esac
    { %s; } >/dev/null 2>&1
    """
        .formatted(script);
  }

  /** Whether the last link of the path is followed. */
  boolean followsLinks() {
    return this == READ || this == METADATA || this == WRITE;
  }

  /** What a kernel asks about it, all of which must be allowed. */
  List<Attempt> attempts(String path) {
    return switch (this) {
      case CONNECT_TCP -> List.of(ask(0).with(Fact.REMOTE, "127.0.0.1 " + path));
      case BIND_TCP -> List.of(ask(0).with(Fact.LOCAL, "127.0.0.1 0"));
      case CONNECT -> List.of(unixSocket(), ask(0).path(path));
      case BIND -> List.of(unixSocket(), ask(0).path(path), ask(1).path(path));
      default -> List.of(ask(0).path(path));
    };
  }

  private Attempt ask(int index) {
    return Attempt.of(operations.get(index));
  }

  private static Attempt unixSocket() {
    return Attempt.of("system-socket").with(Fact.DOMAIN, "AF_UNIX");
  }
}
