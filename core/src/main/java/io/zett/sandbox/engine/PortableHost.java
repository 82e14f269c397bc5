package io.zett.sandbox.engine;

import io.zett.sandbox.host.Host;
import io.zett.sandbox.host.PlainDisk;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.UnixPath;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Facts of this process and machine as far as a JDK knows them. */
final class PortableHost {
  private static final int ROOT = 0;

  /** Where macOS has the homes of people, and of root. */
  private static final List<UnixPath> HOMES =
      List.of(UnixPath.ofText("/Users"), UnixPath.ofText("/home"));

  private static final UnixPath ROOTS_HOME = UnixPath.ofText("/var/root");

  private PortableHost() {}

  /**
   * Looks at them.
   *
   * @param home the caller's home directory
   * @param own a directory that this process has made, which tells who it runs as
   */
  static Host look(PlainDisk disk, Path home, Path own) {
    FileStatus made = disk.lstat(UnixPath.of(own));
    int uid = made == null ? -1 : made.uid();
    Set<UnixPath> homes = new LinkedHashSet<>();
    homes.add(UnixPath.of(home.normalize()));
    homes.add(UnixPath.of(Path.of(System.getProperty("user.home", "/")).normalize()));
    if (uid == ROOT) {
      homes.add(ROOTS_HOME);
      for (UnixPath parent : HOMES) {
        disk.list(
            parent,
            entry -> {
              if (entry.type() != Constants.DT_REG) {
                homes.add(parent.resolve(entry.name()));
              }
            });
      }
    }
    return new Host(
        uid,
        made == null ? -1 : made.gid(),
        List.of(),
        System.getProperty("os.version", ""),
        System.getProperty("user.name", ""),
        UnixPath.of(home.normalize()),
        List.copyOf(homes),
        List.of());
  }
}
