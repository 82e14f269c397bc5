package io.zett.sandbox.testkit;

import java.util.ArrayList;
import java.util.List;

/** Writing where commands may only read. */
final class OutsideAttacks {

  private static final List<String> PLACES =
      List.of(
          "/",
          "/etc",
          "/etc/cron.d",
          "/etc/profile.d",
          "/usr",
          "/usr/bin",
          "/usr/lib",
          "/usr/local/bin",
          "/opt",
          "/root",
          "/home",
          "/srv",
          "/mnt",
          "/boot",
          "/var",
          "/var/lib",
          "/var/log",
          "/var/spool/cron",
          "/run");

  private OutsideAttacks() {}

  private static Attack write(String name, String attempt) {
    return Attack.of(Kind.FILES, Claim.READ_ONLY, name, attempt);
  }

  static List<Attack> all() {
    List<Attack> all = new ArrayList<>();
    byPath(all);
    byCall(all);
    byDescriptor(all);
    for (String place : PLACES) {
      all.add(
          write("cannot make a file in " + place, ": > " + place + "/zett-attack-$ID")
              .provenBy("test -w " + place));
    }
    all.add(write("cannot append to a start-up file of the home", "echo x >> ~/.profile"));
    all.add(write("cannot make a file in the home", "echo x > ~/new$ID"));
    all.add(
        write("cannot make a start-up entry in the home", "mkdir -p ~/.config/autostart/new$ID"));
    all.add(
        write("cannot change anything outside in any of these ways", "false")
            .unproven("judged from outside after all of them")
            .judgedBy(Trace.OUTSIDE));
    return all;
  }

  private static void byPath(List<Attack> all) {
    all.add(write("cannot make a file outside", "echo x > $H/new$ID"));
    all.add(write("cannot write through a link", "ln -sn $H l$ID && echo x > l$ID/new$ID"));
    all.add(write("cannot write through a relative link", "ln -s ../H/file l$ID; echo x > l$ID"));
    all.add(write("cannot write through ..", "cd cache && echo x > ../../H/new$ID"));
    all.add(write("cannot write through /proc/self/root", "echo x > /proc/self/root$H/new$ID"));
    all.add(write("cannot write through /proc/self/cwd", "echo x > /proc/self/cwd/../H/new$ID"));
    all.add(write("cannot write through its parent's root", "echo x > /proc/$PPID/root$H/new$ID"));
    all.add(
        write("cannot write through the first process's root", "echo x > /proc/1/root$H/new$ID")
            .provenBy("echo x > /proc/$$/root$H/new$ID"));
    all.add(write("cannot make a file beside the workspace", "echo x > $W/../new$ID"));
    all.add(
        write("cannot rename the workspace", "mv $W $W.moved")
            .provenBy("mv $W $W.moved && mv $W.moved $W"));
    all.add(
        write("cannot put a link in the workspace's place", "mv $W $W.moved; ln -sT $H $W")
            .provenBy("mv $W $W.moved && ln -sT $H $W && rm $W && mv $W.moved $W"));
    all.add(write("cannot make a file beside a writable directory", "echo x > $A/../new$ID"));
  }

  private static void byCall(List<Attack> all) {
    all.add(write("cannot append to a file outside", "echo x >> $H/file"));
    all.add(write("cannot open a file outside for writing", "$P open-write $H/file"));
    all.add(write("cannot truncate a file outside", "$P truncate $H/file"));
    all.add(write("cannot remove a file outside", "rm -f $H/file && test ! -e $H/file"));
    all.add(write("cannot remove a directory outside", "rmdir $H/other"));
    all.add(write("cannot make a directory outside", "mkdir $H/new$ID"));
    all.add(write("cannot make a FIFO outside", "$P fifo $H/new$ID"));
    all.add(write("cannot make a link outside", "ln -s /etc $H/new$ID"));
    all.add(write("cannot rename a file outside", "mv $H/file $H/new$ID"));
    all.add(
        write("cannot rename the directory outside", "mv $H $H.moved")
            .provenBy("mv $H $H.moved && mv $H.moved $H"));
    all.add(write("cannot move a file out of there", "mv $H/file got$ID && test ! -e $H/file"));
    all.add(write("cannot move a file into there", "echo x > f$ID && mv f$ID $H/new$ID"));
    all.add(write("cannot hard-link into there", "echo x > f$ID; $P hard-link f$ID $H/new$ID"));
    all.add(
        write(
            "cannot write through a hard link to a file outside",
            "$P hard-link $H/file h$ID && echo x >> h$ID"));
    all.add(
        write(
            "cannot write through a hard link made from a descriptor",
            "$P link-descriptor $H/file h$ID && echo x >> h$ID"));
    all.add(write("cannot exchange two files outside", "$P exchange $H/file $H/other"));
    all.add(write("cannot exchange a directory with one outside", "$P exchange cache $H/other"));
    all.add(write("cannot leave a whiteout outside", "$P whiteout $H/file $H/new$ID"));
    all.add(write("cannot change a mode outside", "chmod 600 $H/file"));
    all.add(write("cannot change an owner outside", "chown $(id -u) $H/file"));
    all.add(write("cannot change a time outside", "$P times $H/file"));
    all.add(write("cannot set an attribute outside", "$P attribute $H/file"));
    all.add(write("cannot set a file flag outside", "$P flags $H/file"));
    all.add(write("cannot make an unnamed file outside", "$P unnamed $H"));
    all.add(write("cannot map a file outside for writing", "$P map-write $H/file"));
    all.add(write("cannot have the kernel copy into a file outside", "$P copy-into $H/file"));
    all.add(write("cannot allocate blocks of a file outside", "$P allocate $H/file"));
  }

  private static void byDescriptor(List<Attack> all) {
    all.add(write("cannot climb out of an open directory", "$P climb $H new$ID"));
    all.add(write("cannot reopen a found file for writing", "$P reopen $H/file w"));
    all.add(write("cannot reopen a read-only descriptor for writing", "$P upgrade $H/file"));
    all.add(write("cannot reopen a thread's descriptor for writing", "$P upgrade-thread $H/file"));
    String everywhere = "a sound kernel refuses it everywhere";
    all.add(
        write("cannot make a read-only mapping writable", "$P map-protect $H/file")
            .unproven(everywhere));
    all.add(
        write("cannot write into a mapped file through its memory", "$P write-memory $H/file")
            .unproven(everywhere));
    all.add(
        write("cannot write into a file's pages by racing for a copy", "$P dirty-cow $H/file")
            .unproven(everywhere));
    all.add(
        write("cannot write into a file's pages through a pipe", "$P dirty-pipe $H/file")
            .unproven(everywhere));
    all.add(
        write(
                "cannot write to the file that is its input",
                "echo zett > /proc/self/fd/0; grep -q zett $H/file")
            .in(Setting.INPUT));
    all.add(
        write(
                "cannot write to its input through /dev/stdin",
                "echo zett > /dev/stdin; grep -q zett $H/file")
            .in(Setting.INPUT));
    all.add(
        write("cannot truncate the file that is its input", "$P truncate /proc/self/fd/0")
            .in(Setting.INPUT));
    all.add(write("cannot map its input for writing", "$P map-write /dev/fd/0").in(Setting.INPUT));
    all.add(
        write(
                "cannot move its input's position by the host's own descriptor",
                "test \"$(readlink /proc/self/fd/0)\" = $H/file")
            .in(Setting.INPUT));
  }
}
