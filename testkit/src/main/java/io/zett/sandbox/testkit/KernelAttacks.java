package io.zett.sandbox.testkit;

import java.util.ArrayList;
import java.util.List;

/** System calls, and the kernel's own files. */
final class KernelAttacks {

  private KernelAttacks() {}

  static List<Attack> all() {
    List<Attack> all = new ArrayList<>();
    calls(all);
    namespaces(all);
    mounts(all);
    knobs(all);
    secrets(all);
    return all;
  }

  private static Attack call(String name, String attempt) {
    return Attack.of(Kind.KERNEL, Claim.SYSTEM_CALLS, name, "$P " + attempt);
  }

  private static void calls(List<Attack> all) {
    all.add(Attack.of(Kind.KERNEL, Claim.KEYRINGS, "cannot add a key", "$P add-key"));
    all.add(Attack.of(Kind.KERNEL, Claim.KEYRINGS, "cannot search keyrings", "$P request-key"));
    all.add(Attack.of(Kind.KERNEL, Claim.KEYRINGS, "cannot name a keyring", "$P keyctl"));
    all.add(call("cannot program the kernel with bpf", "bpf"));
    all.add(call("cannot count events with perf", "perf"));
    all.add(call("cannot handle page faults with userfaultfd", "userfaultfd"));
    all.add(call("cannot set up an io_uring", "io-uring-setup"));
    all.add(call("cannot enter an io_uring", "io-uring-enter"));
    all.add(call("cannot register with an io_uring", "io-uring-register"));
    all.add(call("cannot load a module", "init-module"));
    all.add(call("cannot load a module from a file", "finit-module"));
    all.add(call("cannot unload a module", "delete-module"));
    all.add(call("cannot load another kernel", "kexec-load"));
    all.add(call("cannot load another kernel from a file", "kexec-file-load"));
    all.add(call("cannot open a file by its handle", "open-by-handle $H/file"));
    all.add(call("cannot watch the disk with fanotify", "fanotify"));
    all.add(call("cannot read the kernel's log", "kernel-log"));
    all.add(call("cannot restart the machine", "reboot"));
    all.add(call("cannot add swap space", "swap-on"));
    all.add(call("cannot remove swap space", "swap-off"));
    all.add(call("cannot ask for quotas", "quota"));
    all.add(call("cannot set the clock", "set-clock"));
    all.add(call("cannot set the time", "set-time"));
    all.add(call("cannot adjust the clock", "adjust-clock"));
    all.add(call("cannot name the machine", "host-name"));
    all.add(call("cannot ask for ports", "ports"));
    all.add(call("cannot ask for a range of ports", "port-range"));
    all.add(call("cannot make calls of 32-bit programs", "i386"));
    all.add(call("cannot make calls of x32 programs", "x32"));
    all.add(terminal("cannot type into a terminal", "0x5412"));
    all.add(terminal("cannot type with high bits set", "0x100005412"));
    all.add(terminal("cannot type with all high bits set", "0xffffffff00005412"));
    all.add(terminal("cannot paste into a console", "0x541c"));
    all.add(terminal("cannot paste with high bits set", "0x70000541c"));
  }

  private static Attack terminal(String name, String command) {
    return Attack.of(Kind.DEVICES, Claim.TERMINAL, name, "$P terminal " + command);
  }

  private static void namespaces(List<Attack> all) {
    String[][] kinds = {
      {"user", "0x10000000"}, {"mount", "0x10020000"}, {"process", "0x30000000"},
      {"network", "0x50000000"}, {"host name", "0x14000000"}, {"IPC", "0x18000000"},
      {"control group", "0x12000000"}, {"time", "0x10000080"}
    };
    for (String[] kind : kinds) {
      String what = "a " + kind[0] + " namespace";
      all.add(call("cannot make " + what, "namespace " + kind[1]));
      if (!kind[0].equals("time")) {
        all.add(call("cannot clone into " + what, "clone-namespace " + kind[1]));
      }
    }
    all.add(call("cannot clone into a namespace by clone3", "clone3 0x10000000"));
    all.add(call("cannot hide flags from the filter by clone3", "clone3 0"));
    all.add(call("cannot join a namespace", "join-namespace /proc/self/ns/user"));
    all.add(
        call("cannot join the first process's namespace", "join-namespace /proc/1/ns/user")
            .provenBy("$P join-namespace /proc/$$/ns/user"));
  }

  private static void mounts(List<Attack> all) {
    String[][] calls = {
      {"mount a file system", "mount-tmpfs"}, {"bind a directory to another place", "bind"},
      {"lay one directory over another", "overlay"}, {"mount another /proc", "mount-proc"},
      {"remount the root writable", "remount"}, {"unmount", "unmount"},
      {"change how mounts spread", "propagate"}, {"pivot to another root", "pivot"},
      {"change the root", "chroot"}, {"open a file system", "fsopen"},
      {"configure a file system", "fsconfig"}, {"make a mount of a file system", "fsmount"},
      {"pick a mount to change", "fspick"}, {"copy a mount", "open-tree"},
      {"move a mount", "move-mount"}, {"change a mount's attributes", "mount-setattr"}
    };
    for (String[] call : calls) {
      all.add(
          Attack.of(Kind.KERNEL, Claim.MOUNTS, "cannot " + call[0], "$P " + call[1] + " $W/cache"));
    }
  }

  private static void knobs(List<Attack> all) {
    String[] files = {
      "/proc/sys/kernel/core_pattern",
      "/proc/sys/kernel/modprobe",
      "/proc/sys/kernel/hotplug",
      "/proc/sys/kernel/hostname",
      "/proc/sys/kernel/randomize_va_space",
      "/proc/sys/kernel/yama/ptrace_scope",
      "/proc/sys/kernel/unprivileged_bpf_disabled",
      "/proc/sys/fs/binfmt_misc/register",
      "/proc/sys/fs/suid_dumpable",
      "/proc/sys/fs/protected_symlinks",
      "/proc/sys/vm/drop_caches",
      "/proc/sys/vm/overcommit_memory",
      "/proc/sys/vm/panic_on_oom",
      "/proc/sys/net/ipv4/ip_forward",
      "/proc/sys/user/max_user_namespaces",
      "/proc/sysrq-trigger",
      "/proc/1/oom_score_adj",
      "/proc/1/attr/current",
      "/proc/1/uid_map",
      "/proc/self/uid_map",
      "/proc/self/oom_score_adj",
      "/proc/irq/default_smp_affinity",
      "/proc/mtrr",
      "/proc/timer_list",
      "/proc/acpi/wakeup",
      "/proc/scsi/scsi",
      "/sys/kernel/uevent_helper",
      "/sys/kernel/mm/transparent_hugepage/enabled",
      "/sys/kernel/mm/ksm/run",
      "/sys/power/state",
      "/sys/fs/cgroup/release_agent",
      "/sys/fs/cgroup/cgroup.procs",
      "/sys/fs/cgroup/memory/cgroup.procs",
      "/sys/fs/cgroup/memory/release_agent",
      "/sys/kernel/profiling",
      "/sys/kernel/rcu_expedited",
      "/sys/bus/cpu/uevent"
    };
    for (String file : files) {
      String name = "cannot open " + file + " for writing";
      Attack attack = Attack.of(Kind.KERNEL, Claim.KERNEL_FILES, name, "$P open-write " + file);
      if (file.startsWith("/proc/1/")) {
        attack = attack.provenBy("$P open-write /proc/$$/" + file.substring("/proc/1/".length()));
      }
      // A process may make itself a likelier victim; inside not even that.
      all.add(attack);
    }
    all.add(
        Attack.of(
                Kind.KERNEL,
                Claim.KERNEL_FILES,
                "cannot make a control group",
                "mkdir /sys/fs/cgroup/zett-attack /sys/fs/cgroup/*/zett-attack")
            .provenBy("test -w /sys/fs/cgroup || test -w /sys/fs/cgroup/memory"));
    all.add(
        Attack.of(
                Kind.KERNEL,
                Claim.KERNEL_FILES,
                "cannot make any file in /sys writable",
                "chmod u+w /sys/kernel/mm/ksm/run")
            .provenBy("test -O /sys/kernel/mm/ksm/run"));
  }

  private static void secrets(List<Attack> all) {
    String[] files = {
      "/proc/kcore",
      "/proc/kmsg",
      "/proc/keys",
      "/proc/slabinfo",
      "/proc/vmallocinfo",
      "/proc/timer_list",
      "/proc/sched_debug",
      "/proc/pagetypeinfo",
      "/proc/1/mem",
      "/proc/1/stack",
      "/proc/1/environ",
      "/proc/1/auxv",
      "/sys/kernel/debug",
      "/sys/kernel/tracing",
      "/sys/kernel/security",
      "/sys/firmware/dmi/tables/DMI",
      "/sys/firmware/efi",
      "/sys/fs/pstore"
    };
    for (String file : files) {
      String name = "cannot read " + file;
      Attack attack = Attack.of(Kind.KERNEL, Claim.KERNEL_FILES, name, "$P content " + file);
      if (file.startsWith("/proc/1/")) {
        attack = attack.provenBy("$P content /proc/$$/" + file.substring("/proc/1/".length()));
      }
      all.add(attack);
    }
    all.add(
        Attack.of(
            Kind.KERNEL,
            Claim.KERNEL_FILES,
            "cannot learn an address of the kernel",
            "grep -v '^0000000000000000' /proc/kallsyms | grep -q ."));
  }
}
