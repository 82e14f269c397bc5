package io.zett.sandbox.host;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Facts of this process and machine that do not change while it runs.
 *
 * @param uid the effective user
 * @param gid the effective group
 * @param groups the supplementary groups
 * @param kernelRelease as {@code uname -r}
 * @param accountName the user's name, or its number when there is no account
 * @param home the caller's home directory; {@code /} when there is none
 * @param homes every home directory whose credentials a command could read
 * @param kernelSecrets files and directories of {@code /proc} and {@code /sys} that tell about the
 *     kernel or other users, and that this user may read
 */
public record Host(
    int uid,
    int gid,
    List<Integer> groups,
    String kernelRelease,
    String accountName,
    UnixPath home,
    List<UnixPath> homes,
    List<KernelSecret> kernelSecrets) {

  private static final int LONGEST_FILE = 16 << 20;
  private static final int READABLE_BY_ALL = 0004;

  // Accounts of services are given these; nobody keeps credentials there.
  private static final Set<String> SYSTEM_DIRECTORIES =
      Set.of("/", "/bin", "/sbin", "/dev", "/proc", "/usr/bin", "/usr/sbin", "/usr/games");

  private static final UnixPath PROC = UnixPath.ofText("/proc");
  private static final UnixPath SYS = UnixPath.ofText("/sys");

  private static final List<String> SECRET_PROC_FILES =
      List.of(
          "kcore",
          "keys",
          "kpagecgroup",
          "kpagecount",
          "kpageflags",
          "latency_stats",
          "pagetypeinfo",
          "sched_debug",
          "slabinfo",
          "sys/net/ipv4/tcp_fastopen_key",
          "timer_list",
          "vmallocinfo",
          "vmcore");
  private static final List<String> SECRET_PROC_DIRECTORIES = List.of("acpi", "asound", "scsi");
  // A mere look at zram-control/hot_add makes a device on the host.
  private static final List<String> SECRET_SYS_DIRECTORIES =
      List.of("class/zram-control", "devices/virtual/powercap", "firmware", "kernel/slab");
  // Serial numbers name the machine and, in a cloud, are taken as proof of who one is.
  private static final List<String> SECRET_SYS_FILES =
      List.of(
          "devices/virtual/dmi/id/board_serial",
          "devices/virtual/dmi/id/chassis_serial",
          "devices/virtual/dmi/id/product_serial",
          "devices/virtual/dmi/id/product_uuid");
  private static final List<String> MOUNTED_IN_SYS =
      List.of("kernel/debug", "kernel/tracing", "kernel/security", "fs/bpf", "fs/pstore");

  /**
   * A part of {@code /proc} or {@code /sys} that commands must not see.
   *
   * @param path where
   * @param directory whether it is a directory
   */
  public record KernelSecret(UnixPath path, boolean directory) {}

  public Host {
    groups = List.copyOf(groups);
    homes = List.copyOf(homes);
    kernelSecrets = List.copyOf(kernelSecrets);
  }

  /** Whether the caller is root, who owns what nobody else can read. */
  public boolean isRoot() {
    return uid == 0;
  }

  /**
   * Looks at this process and machine.
   *
   * @param callerHome the caller's {@code HOME}; null when it is not set or not absolute
   */
  public static Host inspect(Posix posix, @Nullable UnixPath callerHome) {
    int uid = posix.geteuid();
    List<Account> accounts = accounts(posix);
    Set<UnixPath> homes = new LinkedHashSet<>();
    if (callerHome != null) {
      homes.add(callerHome);
    }
    String name = Integer.toUnsignedString(uid);
    UnixPath accountHome = null;
    for (Account account : accounts) {
      if (account.uid() == uid) {
        name = account.name();
        accountHome = account.home();
        homes.add(accountHome);
        break;
      }
    }
    if (uid == 0) {
      for (Account account : accounts) {
        if (!SYSTEM_DIRECTORIES.contains(account.home().latin1())) {
          homes.add(account.home());
        }
      }
      homes.addAll(directoriesOf(posix, UnixPath.ofText("/home")));
    }
    UnixPath home =
        callerHome != null ? callerHome : accountHome != null ? accountHome : UnixPath.ROOT;
    List<Integer> groups = new ArrayList<>();
    for (int group : posix.getgroups()) {
      groups.add(group);
    }
    return new Host(
        uid,
        posix.getegid(),
        groups,
        posix.uname().release(),
        name,
        home,
        List.copyOf(homes),
        kernelSecrets(posix, uid == 0));
  }

  private static List<Account> accounts(Posix posix) {
    try {
      byte[] passwd = posix.readFile(UnixPath.ofText("/etc/passwd"), LONGEST_FILE);
      return Account.parse(new String(passwd, StandardCharsets.ISO_8859_1));
    } catch (PosixException e) {
      e.throwIfShortage();
      return List.of(); // Images without any account exist.
    }
  }

  /** Accounts that a directory service knows have homes here without a line in the file. */
  private static List<UnixPath> directoriesOf(Posix posix, UnixPath parent) {
    List<UnixPath> directories = new ArrayList<>();
    posix.list(
        parent,
        entry -> {
          if (entry.type() != Constants.DT_REG) {
            directories.add(parent.resolve(entry.name()));
          }
        });
    return directories;
  }

  private static List<KernelSecret> kernelSecrets(Posix posix, boolean root) {
    List<KernelSecret> found = new ArrayList<>();
    for (String name : SECRET_PROC_FILES) {
      FileStatus status = posix.lstatIfAllowed(PROC.resolve(name));
      if (status != null && (root || (status.mode() & READABLE_BY_ALL) != 0)) {
        found.add(new KernelSecret(PROC.resolve(name), false));
      }
    }
    if (!root) {
      return found;
    }
    // What follows is closed to others by its permissions, but root's commands own it.
    for (String name : SECRET_PROC_DIRECTORIES) {
      if (posix.lstatIfAllowed(PROC.resolve(name)) != null) {
        found.add(new KernelSecret(PROC.resolve(name), true));
      }
    }
    FileStatus sysfs = posix.lstatIfAllowed(SYS);
    for (String name : MOUNTED_IN_SYS) {
      FileStatus status = posix.lstatIfAllowed(SYS.resolve(name));
      if (status != null && sysfs != null && status.dev() != sysfs.dev()) {
        found.add(new KernelSecret(SYS.resolve(name), true));
      }
    }
    for (String name : SECRET_SYS_DIRECTORIES) {
      if (posix.lstatIfAllowed(SYS.resolve(name)) != null) {
        found.add(new KernelSecret(SYS.resolve(name), true));
      }
    }
    for (String name : SECRET_SYS_FILES) {
      if (posix.lstatIfAllowed(SYS.resolve(name)) != null) {
        found.add(new KernelSecret(SYS.resolve(name), false));
      }
    }
    return found;
  }
}
