package io.zett.sandbox.table;

import static io.zett.sandbox.table.Act.BIND;
import static io.zett.sandbox.table.Act.BIND_TCP;
import static io.zett.sandbox.table.Act.CONNECT;
import static io.zett.sandbox.table.Act.CONNECT_TCP;
import static io.zett.sandbox.table.Act.CREATE;
import static io.zett.sandbox.table.Act.METADATA;
import static io.zett.sandbox.table.Act.READ;
import static io.zett.sandbox.table.Act.SET_ID;
import static io.zett.sandbox.table.Act.UNLINK;
import static io.zett.sandbox.table.Act.WRITE;
import static io.zett.sandbox.table.Row.fails;
import static io.zett.sandbox.table.Row.linuxOnly;
import static io.zett.sandbox.table.Row.macOnly;
import static io.zett.sandbox.table.Row.works;
import static io.zett.sandbox.table.Setting.BLOCKED;
import static io.zett.sandbox.table.Setting.DENY_READ;
import static io.zett.sandbox.table.Setting.DENY_WRITE;
import static io.zett.sandbox.table.Setting.LINKED;
import static io.zett.sandbox.table.Setting.MISSING;
import static io.zett.sandbox.table.Setting.NESTED;
import static io.zett.sandbox.table.Setting.NETWORK;
import static io.zett.sandbox.table.Setting.PLAIN;
import static io.zett.sandbox.table.Setting.PRIVATE_HOME;
import static io.zett.sandbox.table.Setting.PROTECTED;
import static io.zett.sandbox.table.Setting.WRITABLE;

import java.util.List;

/** What each policy allows; the same on both platforms unless the contract says otherwise. */
final class PolicyTable {

  /** Where differences are allowed: lines of "What holds on each platform". */
  static final List<String> DIFFERENCES = List.of("/tmp", "network off");

  private PolicyTable() {}

  static List<Row> rows() {
    return List.of(
        works(PLAIN, READ, "W/file"),
        works(PLAIN, METADATA, "W/file"),
        works(PLAIN, WRITE, "W/file"),
        works(PLAIN, UNLINK, "W/file"),
        works(PLAIN, UNLINK, "W/dir"),
        works(PLAIN, CREATE, "W/new"),
        works(PLAIN, CREATE, "W/dir/new"),
        works(PLAIN, READ, "H/file"),
        works(PLAIN, READ, "H"),
        works(PLAIN, METADATA, "H/file"),
        fails(PLAIN, WRITE, "H/file"),
        fails(PLAIN, UNLINK, "H/file"),
        fails(PLAIN, UNLINK, "H"),
        fails(PLAIN, CREATE, "H/new"),
        fails(PLAIN, CREATE, "Wx/new"),
        works(PLAIN, READ, "/etc/passwd"),
        fails(PLAIN, WRITE, "/etc/passwd"),
        fails(PLAIN, CREATE, "/etc/zett-new"),
        fails(PLAIN, CREATE, "/zett-new"),
        fails(PLAIN, SET_ID, "W/set-id"),
        works(PLAIN, CREATE, "TMPDIR/new"),
        works(PLAIN, CREATE, "/tmp/zett-table-new"),
        macOnly(PLAIN, READ, TableScene.TEMPORARY, "/tmp"),
        works(PLAIN, READ, "home/notes"),
        fails(PLAIN, WRITE, "home/notes"),
        fails(PLAIN, CREATE, "home/new"),
        fails(PLAIN, READ, "home/.ssh/id"),
        fails(PLAIN, READ, "home/.ssh"),
        fails(PLAIN, METADATA, "home/.ssh/id"),
        fails(PLAIN, WRITE, "home/.ssh/id"),
        fails(PLAIN, CREATE, "home/.ssh/new"),
        fails(PLAIN, UNLINK, "home/.ssh"),
        works(PLAIN, CONNECT, "W/daemon.sock"),
        fails(PLAIN, CONNECT, "H/daemon.sock"),
        works(PLAIN, BIND, "W/own.sock"),
        works(PLAIN, BIND, "TMPDIR/own.sock"),
        fails(PLAIN, BIND, "H/own.sock"),
        fails(PLAIN, CONNECT_TCP, TableScene.PORT),
        linuxOnly(PLAIN, BIND_TCP, TableScene.PORT, "network off"),
        works(DENY_WRITE, READ, "W/file"),
        works(DENY_WRITE, METADATA, "W/file"),
        fails(DENY_WRITE, WRITE, "W/file"),
        fails(DENY_WRITE, UNLINK, "W/file"),
        works(DENY_WRITE, READ, "W/dir/inner"),
        fails(DENY_WRITE, WRITE, "W/dir/inner"),
        fails(DENY_WRITE, UNLINK, "W/dir/inner"),
        fails(DENY_WRITE, UNLINK, "W/dir"),
        fails(DENY_WRITE, CREATE, "W/dir/new"),
        fails(DENY_WRITE, CREATE, "W/a/b/c/new"),
        fails(DENY_WRITE, UNLINK, "W/a/b/c"),
        fails(DENY_WRITE, UNLINK, "W/a/b"),
        fails(DENY_WRITE, UNLINK, "W/a"),
        works(DENY_WRITE, CREATE, "W/a/b/new"),
        works(DENY_WRITE, WRITE, "W/a/other"),
        works(DENY_WRITE, UNLINK, "W/a/other"),
        fails(DENY_READ, READ, "W/file"),
        fails(DENY_READ, METADATA, "W/file"),
        fails(DENY_READ, WRITE, "W/file"),
        fails(DENY_READ, UNLINK, "W/file"),
        fails(DENY_READ, READ, "W/dir"),
        fails(DENY_READ, READ, "W/dir/inner"),
        fails(DENY_READ, METADATA, "W/dir/inner"),
        fails(DENY_READ, CREATE, "W/dir/new"),
        fails(DENY_READ, UNLINK, "W/dir"),
        fails(DENY_READ, READ, "W/conf/key"),
        fails(DENY_READ, UNLINK, "W/conf"),
        works(DENY_READ, CREATE, "W/conf/new"),
        fails(DENY_READ, READ, "H/file"),
        fails(DENY_READ, METADATA, "H/file"),
        works(DENY_READ, READ, "H/real"),
        fails(MISSING, CREATE, "W/none"),
        fails(MISSING, CREATE, "W/none/deep"),
        fails(MISSING, CREATE, "W/.env"),
        works(MISSING, CREATE, "W/other"),
        works(MISSING, CREATE, "W/dir/.env"),
        fails(NESTED, READ, "H/file"),
        fails(NESTED, CREATE, "H/new"),
        works(NESTED, READ, "H/public/f"),
        fails(NESTED, WRITE, "H/public/f"),
        works(NESTED, CREATE, "H/out/new"),
        fails(NESTED, UNLINK, "H/out"),
        fails(NESTED, CONNECT, "H/daemon.sock"),
        works(NESTED, READ, "W/p/file"),
        fails(NESTED, WRITE, "W/p/file"),
        fails(NESTED, CREATE, "W/p/new"),
        works(NESTED, CREATE, "W/p/q/new"),
        fails(NESTED, UNLINK, "W/p/q"),
        fails(NESTED, UNLINK, "W/p"),
        fails(NESTED, CREATE, "W/e/new"),
        works(NESTED, READ, "W/e"),
        fails(LINKED, READ, "W/link"),
        fails(LINKED, READ, "H/real"),
        fails(LINKED, READ, "H/link"),
        fails(LINKED, READ, "H/linked"),
        works(LINKED, READ, "H/file"),
        works(WRITABLE, CREATE, "E/new"),
        fails(WRITABLE, UNLINK, "E"),
        fails(WRITABLE, CREATE, "H/new"),
        fails(PRIVATE_HOME, READ, "home/notes"),
        fails(PRIVATE_HOME, METADATA, "home/notes"),
        fails(PRIVATE_HOME, READ, "home/.ssh/id"),
        works(PRIVATE_HOME, READ, "HOME/."),
        works(PRIVATE_HOME, CREATE, "HOME/new"),
        works(PRIVATE_HOME, READ, "H/file"),
        works(NETWORK, CONNECT_TCP, TableScene.PORT),
        works(NETWORK, BIND_TCP, TableScene.PORT),
        works(NETWORK, CONNECT, "W/daemon.sock"),
        fails(NETWORK, CONNECT, "H/daemon.sock"),
        fails(BLOCKED, CONNECT, "W/daemon.sock"),
        fails(BLOCKED, BIND, "W/own.sock"),
        works(BLOCKED, CREATE, "W/new"),
        works(PROTECTED, READ, "W/.git/config"),
        fails(PROTECTED, WRITE, "W/.git/config"),
        fails(PROTECTED, UNLINK, "W/.git/config"),
        fails(PROTECTED, CREATE, "W/.git/hooks/new"),
        fails(PROTECTED, UNLINK, "W/.git/hooks"),
        fails(PROTECTED, UNLINK, "W/.git"),
        works(PROTECTED, CREATE, "W/.git/objects/new"),
        works(PROTECTED, CREATE, "W/new"));
  }
}
