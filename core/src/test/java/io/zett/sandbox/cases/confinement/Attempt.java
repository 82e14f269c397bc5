package io.zett.sandbox.cases.confinement;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a hostile script tries; a shell text that exits with 0 when it worked.
 *
 * @param name what it is
 * @param attack what the script tries inside
 * @param harmless what is run on the host before, to show that the attack would work there; null
 *     where every form would do harm, or where it depends on the machine
 * @param asRoot whether the harmless form works for root only
 */
record Attempt(String name, String attack, @Nullable String harmless, boolean asRoot) {

  private static Attempt same(String name, String attack) {
    return new Attempt(name, attack, attack, false);
  }

  private static Attempt shown(String name, String attack, String harmless) {
    return new Attempt(name, attack, harmless, false);
  }

  private static Attempt shownByRoot(String name, String attack, String harmless) {
    return new Attempt(name, attack, harmless, true);
  }

  private static Attempt only(String name, String attack) {
    return new Attempt(name, attack, null, false);
  }

  private static Attempt secret(String name, String path) {
    return same("read " + name, "grep -rqs SECRET " + path);
  }

  private static String python(String text) {
    return "/usr/bin/python3 -c '" + text + "'";
  }

  private static String socket(String arguments, String more) {
    return python("import socket; s = socket.socket(" + arguments + "); " + more);
  }

  /** All of them; {@code $H}, {@code $PORT}, {@code $VICTIM} and {@code $TOKEN} are of the host. */
  static List<Attempt> all() {
    return List.of(
        same("write outside the workspace", "echo x > $H/new"),
        same("write through a link", "ln -sfn $H link && echo x > link/new"),
        same("write through /proc", "echo x > /proc/self/root$H/new"),
        same("write to the home directory", "echo x >> ~/.profile"),
        same("open a file outside for writing", ": >> $H/file"),
        shown("remove a file outside", "rm -f $H/file && test ! -e $H/file", "test -w $H"),
        shown("move a directory outside", "mv $H $H.moved", "mv $H $H.moved && mv $H.moved $H"),
        shown("link to a file outside", "ln $H/file hard", "ln $H/file hard && rm hard"),
        shownByRoot(
            "write to the system", "touch /etc/zett-pwn || touch /zett-pwn", "test -w /etc"),
        shown(
            "plant a hook", "mkdir -p .git/hooks; echo x > .git/hooks/post-checkout", "test -w ."),
        same("read a denied file", "grep -qs SECRET conf/key"),
        shown("move a denied file's parent", "mv conf c2 && cat c2/key", "cat conf/key"),
        only("unmount what hides it", "umount -l conf/key"),
        secret("a key", "~/.ssh"),
        secret("a cloud credential", "~/.aws"),
        secret("a registry token", "~/.npmrc"),
        secret("a source host's password", "~/.git-credentials"),
        secret("a database password", "~/.pgpass"),
        secret("a password store", "~/.password-store"),
        secret("a mail password", "~/.msmtprc"),
        secret("a browser profile", "~/.mozilla"),
        secret("a wallet", "~/.bitcoin"),
        secret("an agent's credential", "~/.claude"),
        secret("a history", "~/.bash_history"),
        shownByRoot("read password hashes", "head -c 1 /etc/shadow", "head -c 1 /etc/shadow"),
        same("read the caller's variables", "cat /proc/[0-9]*/environ | grep -aq $TOKEN"),
        same(
            "connect to a server of the host",
            socket("", "s.settimeout(9); s.connect((\"127.0.0.1\", int(\"'$PORT'\")))")),
        only(
            "reach the cloud's metadata",
            socket("", "s.settimeout(9); s.connect((\"169.254.169.254\", 80))")),
        same(
            "connect to a daemon's socket",
            socket("socket.AF_UNIX", "s.connect(\"'$H'/daemon.sock\")")),
        only("talk to the hypervisor", socket("40, 1", "")),
        shownByRoot("open a packet socket", socket("17, 3", ""), socket("17, 3", "")),
        same("see a process of the host", "grep -aqs zett-victi[m] /proc/[0-9]*/cmdline"),
        shown("kill a process of the host", "kill -9 $VICTIM", "kill -0 $VICTIM"),
        shown(
            "fill /tmp",
            "head -c 64M /dev/zero > /tmp/zett-fill",
            "f=$(mktemp) && head -c 64K /dev/zero > $f && rm $f"),
        shown("fill /dev/shm", "head -c 64M /dev/zero > /dev/shm/zett-fill", "test -w /dev/shm"),
        only(
            "open a block device",
            "tail -n +3 /proc/partitions | (ok=1; while read a b c d; do head -c 1 /dev/$d && ok=0;"
                + " mknod n$d b $a $b && head -c 1 n$d && ok=0; done; exit $ok)"),
        only("open the machine's memory", "head -c 1 /dev/mem || head -c 1 /proc/kcore"),
        only("remount the disk", "mount -o remount,rw,bind /"),
        only("mount something", "mount -t tmpfs none /mnt || mount --bind /tmp /mnt"),
        only("make a namespace", "unshare -Ur true || unshare -m true || unshare -n true"),
        only("join the launcher's namespaces", "nsenter -t 1 -m true"),
        shownByRoot(
            "change a setting of the kernel",
            ": > /proc/sys/kernel/core_pattern",
            "test -w /proc/sys/kernel/core_pattern"),
        only("make a control group", "mkdir /sys/fs/cgroup/zett-pwn /sys/fs/cgroup/*/zett-pwn"),
        shown(
            "leave a set-id file",
            "cp /bin/true s && chmod 4755 s",
            "cp /bin/true s && chmod 4755 s && rm s"),
        shownByRoot("become root", "su root -c true", "su root -c true"),
        only(
            "type into a terminal",
            python("import fcntl; [fcntl.ioctl(n, 0x5412, b\"x\") for n in (0, 1, 2)]")),
        only(
            "use io_uring",
            python("import ctypes; assert ctypes.CDLL(None).syscall(425, 1, bytes(120)) >= 0")),
        only("kill the first process", "kill -9 1 && ! kill -0 1"));
  }
}
