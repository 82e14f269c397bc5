package io.zett.sandbox.backend.bubblewrap;

import static io.zett.sandbox.backend.bubblewrap.SeccompRule.Refusal.EAFNOSUPPORT;
import static io.zett.sandbox.backend.bubblewrap.SeccompRule.Refusal.ENOSYS;
import static io.zett.sandbox.backend.bubblewrap.SeccompRule.Refusal.EPERM;
import static io.zett.sandbox.backend.bubblewrap.SeccompRule.Refusal.EPROTONOSUPPORT;

import io.zett.sandbox.backend.bubblewrap.ArgumentTest.AnyBit;
import io.zett.sandbox.backend.bubblewrap.ArgumentTest.NoneOf;
import io.zett.sandbox.backend.bubblewrap.ArgumentTest.OneOf;
import io.zett.sandbox.backend.bubblewrap.SeccompRule.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which system calls are refused, with which error and why. Everything that is not here is allowed.
 *
 * <p>The error is the one that programs already handle: ENOSYS where the C library falls back to an
 * older call, EPERM otherwise.
 */
public final class SeccompTable {

  private static final int AF_UNIX = 1;
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int AF_NETLINK = 16;
  private static final int NETLINK_ROUTE = 0;

  private static final int TIOCSTI = 0x5412;
  private static final int TIOCLINUX = 0x541C;

  private static final int CLONE_NEWTIME = 0x00000080;
  // NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET; NEWTIME is a signal bit in clone(2).
  private static final int CLONE_NAMESPACES = 0x7E020000;

  private static final int O_CREAT = 0100;
  private static final int O_TMPFILE_BIT = 020000000;

  private SeccompTable() {}

  /** The whole table for these options. */
  public static List<SeccompRule> rules(SeccompOptions options) {
    List<SeccompRule> rules = new ArrayList<>();
    setIdBits(rules, options.workspaceIsSetgid() ? 04000 : 06000);
    sockets(rules, options.blockUnixSockets());
    namespaces(rules);
    rules.add(
        new SeccompRule(
            List.of(SystemCall.IOCTL),
            List.of(new OneOf(1, List.of(TIOCSTI, TIOCLINUX))),
            EPERM,
            "types into the caller's terminal (CVE-2017-5226, CVE-2023-28100)"));
    always(
        rules,
        EPERM,
        "kernel keyrings are not in any namespace: the caller's keys can be read",
        SystemCall.ADD_KEY,
        SystemCall.REQUEST_KEY,
        SystemCall.KEYCTL);
    always(
        rules,
        ENOSYS,
        "makes other calls past this program, and is a large attack surface",
        SystemCall.IO_URING_SETUP,
        SystemCall.IO_URING_ENTER,
        SystemCall.IO_URING_REGISTER);
    always(
        rules,
        EPERM,
        "changes the view of the file system",
        SystemCall.MOUNT,
        SystemCall.UMOUNT2,
        SystemCall.PIVOT_ROOT,
        SystemCall.CHROOT,
        SystemCall.MOVE_MOUNT,
        SystemCall.OPEN_TREE,
        SystemCall.OPEN_TREE_ATTR,
        SystemCall.FSOPEN,
        SystemCall.FSCONFIG,
        SystemCall.FSMOUNT,
        SystemCall.FSPICK,
        SystemCall.MOUNT_SETATTR);
    always(
        rules,
        EPERM,
        "opens files past every path and mount",
        SystemCall.OPEN_BY_HANDLE_AT,
        SystemCall.FANOTIFY_INIT);
    always(
        rules,
        EPERM,
        "programs or watches the kernel",
        SystemCall.BPF,
        SystemCall.PERF_EVENT_OPEN,
        SystemCall.USERFAULTFD,
        SystemCall.LOOKUP_DCOOKIE,
        SystemCall.SYSLOG);
    always(
        rules,
        EPERM,
        "loads code into the kernel",
        SystemCall.INIT_MODULE,
        SystemCall.FINIT_MODULE,
        SystemCall.DELETE_MODULE,
        SystemCall.CREATE_MODULE,
        SystemCall.KEXEC_LOAD,
        SystemCall.KEXEC_FILE_LOAD);
    always(
        rules,
        EPERM,
        "administers the machine",
        SystemCall.ACCT,
        SystemCall.SWAPON,
        SystemCall.SWAPOFF,
        SystemCall.REBOOT,
        SystemCall.QUOTACTL,
        SystemCall.QUOTACTL_FD,
        SystemCall.SETTIMEOFDAY,
        SystemCall.CLOCK_SETTIME,
        SystemCall.CLOCK_ADJTIME,
        SystemCall.IOPL,
        SystemCall.IOPERM,
        SystemCall.VHANGUP,
        SystemCall.NFSSERVCTL,
        SystemCall.USELIB);
    return List.copyOf(rules);
  }

  private static void setIdBits(List<SeccompRule> rules, int bits) {
    String why = "leaves a set-id file on the host";
    rules.add(mode(SystemCall.CHMOD, 1, bits, why));
    rules.add(mode(SystemCall.FCHMOD, 1, bits, why));
    rules.add(mode(SystemCall.FCHMODAT, 2, bits, why));
    rules.add(mode(SystemCall.FCHMODAT2, 2, bits, why));
    rules.add(mode(SystemCall.CREAT, 1, bits, why));
    rules.add(mode(SystemCall.MKNOD, 1, bits, why));
    rules.add(mode(SystemCall.MKNODAT, 2, bits, why));
    // Without O_CREAT or O_TMPFILE nothing is passed as the mode, and the register is garbage.
    rules.add(modeOfOpen(SystemCall.OPEN, 1, bits, why));
    rules.add(modeOfOpen(SystemCall.OPENAT, 2, bits, why));
    always(
        rules,
        ENOSYS,
        "takes its mode from memory, where this program cannot see it",
        SystemCall.OPENAT2);
  }

  private static SeccompRule mode(SystemCall call, int argument, int bits, String why) {
    return new SeccompRule(List.of(call), List.of(new AnyBit(argument, bits)), EPERM, why);
  }

  private static SeccompRule modeOfOpen(SystemCall call, int flags, int bits, String why) {
    return new SeccompRule(
        List.of(call),
        List.of(new AnyBit(flags, O_CREAT | O_TMPFILE_BIT), new AnyBit(flags + 1, bits)),
        EPERM,
        why);
  }

  private static void sockets(List<SeccompRule> rules, boolean blockUnixSockets) {
    rules.add(
        new SeccompRule(
            List.of(SystemCall.SOCKET),
            List.of(new NoneOf(0, List.of(AF_UNIX, AF_INET, AF_INET6, AF_NETLINK))),
            EAFNOSUPPORT,
            "vsock reaches the hypervisor from every network namespace; packet, alg, bluetooth and"
                + " their like are a large attack surface"));
    rules.add(
        new SeccompRule(
            List.of(SystemCall.SOCKET),
            List.of(new OneOf(0, List.of(AF_NETLINK)), new NoneOf(2, List.of(NETLINK_ROUTE))),
            EPROTONOSUPPORT,
            "a resolver and getifaddrs need routes; audit, netfilter, uevents and the rest do not"
                + " belong to a command"));
    rules.add(
        new SeccompRule(
            List.of(SystemCall.SOCKETPAIR),
            List.of(new NoneOf(0, List.of(AF_UNIX))),
            EAFNOSUPPORT,
            "only Unix socket pairs are of use; TIPC has them too"));
    if (blockUnixSockets) {
      rules.add(
          new SeccompRule(
              List.of(SystemCall.SOCKET),
              List.of(new OneOf(0, List.of(AF_UNIX))),
              EPERM,
              "closes sockets of the host that appear later in a visible directory"));
    }
  }

  private static void namespaces(List<SeccompRule> rules) {
    String why = "a new user namespace has all capabilities inside and opens the kernel to attack";
    rules.add(
        new SeccompRule(
            List.of(SystemCall.CLONE), List.of(new AnyBit(0, CLONE_NAMESPACES)), EPERM, why));
    rules.add(
        new SeccompRule(
            List.of(SystemCall.UNSHARE),
            List.of(new AnyBit(0, CLONE_NAMESPACES | CLONE_NEWTIME)),
            EPERM,
            why));
    always(
        rules,
        ENOSYS,
        "takes its flags from memory, where this program cannot see them; C libraries fall back to"
            + " clone",
        SystemCall.CLONE3);
    always(rules, EPERM, "joins namespaces of another process", SystemCall.SETNS);
  }

  private static void always(
      List<SeccompRule> rules, Refusal refusal, String why, SystemCall... calls) {
    rules.add(new SeccompRule(Arrays.asList(calls), List.of(), refusal, why));
  }
}
