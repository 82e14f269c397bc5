package io.zett.sandbox.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * Reading what is denied: the file {@code conf/key} and the directory {@code priv} of the
 * workspace, the directory {@code H/hidden}, and what the link {@code linked} leads to.
 */
final class HiddenAttacks {

  private HiddenAttacks() {}

  private static Attack hidden(String name, String attempt) {
    return Attack.of(Kind.FILES, Claim.DENY_READ, name, attempt);
  }

  static List<Attack> all() {
    List<Attack> all = new ArrayList<>();
    byPath(all);
    byMoving(all);
    byCall(all);
    return all;
  }

  private static void byPath(List<Attack> all) {
    all.add(hidden("cannot read a denied file", "grep -q SECRET conf/key"));
    all.add(hidden("cannot read a denied file outside", "grep -q SECRET $H/hidden/key"));
    all.add(hidden("cannot list a denied directory", "$P list priv"));
    all.add(hidden("cannot list a denied directory outside", "$P list $H/hidden"));
    all.add(hidden("cannot read in a denied directory", "grep -q SECRET priv/name"));
    all.add(hidden("cannot read a denied link", "grep -q SECRET linked"));
    all.add(hidden("cannot read what a denied link leads to", "grep -q SECRET $H/real/key"));
    all.add(hidden("cannot read it by a link", "ln -s conf/key l$ID; grep -q SECRET l$ID"));
    all.add(
        hidden(
            "cannot read it by a chain of links",
            "ln -s $H/hidden a$ID; ln -s a$ID/key b$ID; grep -q SECRET b$ID"));
    all.add(hidden("cannot read it through ..", "cd cache; grep -q SECRET ../conf/../conf/key"));
    all.add(
        hidden("cannot read it by /proc/self/root", "grep -q SECRET /proc/self/root$W/conf/key"));
    all.add(hidden("cannot read it by /proc/self/cwd", "grep -q SECRET /proc/self/cwd/conf/key"));
    all.add(
        hidden(
                "cannot read it by the first process's root",
                "grep -q SECRET /proc/1/root$H/hidden/key")
            .provenBy("grep -q SECRET /proc/$$/root$H/hidden/key"));
    all.add(
        hidden(
            "cannot read it by any process's root",
            "grep -qs SECRET /proc/[0-9]*/root$H/hidden/key"));
    all.add(
        hidden(
            "cannot read it by any process's directory",
            "grep -qs SECRET /proc/[0-9]*/cwd/conf/key"));
  }

  private static void byMoving(List<Attack> all) {
    all.add(hidden("cannot move it", "mv conf/key k$ID; grep -q SECRET k$ID"));
    all.add(hidden("cannot move its parent", "mv conf c$ID; grep -q SECRET c$ID/key"));
    all.add(
        hidden("cannot exchange its parent", "$P exchange conf cache; grep -q SECRET cache/key"));
    all.add(
        hidden(
            "cannot exchange it", "echo x > f$ID; $P exchange conf/key f$ID; grep -q SECRET f$ID"));
    all.add(hidden("cannot move a denied directory", "mv priv p$ID; grep -q SECRET p$ID/name"));
    all.add(hidden("cannot copy its parent", "cp -a conf c$ID; grep -q SECRET c$ID/key"));
    all.add(hidden("cannot pack its parent", "tar -cf - conf | grep -aq SECRET"));
    all.add(hidden("cannot hard-link it", "$P hard-link conf/key h$ID; grep -q SECRET h$ID"));
    all.add(
        hidden(
            "cannot hard-link it from a descriptor",
            "$P link-descriptor conf/key h$ID; grep -q SECRET h$ID"));
    all.add(
        hidden(
            "cannot open its mode",
            "chmod 644 conf/key; chmod 755 priv; grep -q SECRET conf/key priv/name"));
    all.add(hidden("cannot replace it", "echo x > f$ID; mv -f f$ID conf/key"));
    all.add(hidden("cannot remove it", "rm -f conf/key; test ! -e conf/key"));
    all.add(hidden("cannot write to it", "echo x >> conf/key"));
    all.add(hidden("cannot make a file in a denied directory", "echo x > priv/new$ID"));
  }

  private static void byCall(List<Attack> all) {
    all.add(hidden("cannot find it first and then reopen it", "$P reopen conf/key r"));
    all.add(hidden("cannot send it", "$P send conf/key"));
    all.add(hidden("cannot splice it", "$P splice conf/key"));
    all.add(hidden("cannot have the kernel copy it", "$P copy-range conf/key c$ID"));
    all.add(hidden("cannot read its attributes", "$P attribute-read conf/key"));
    all.add(hidden("cannot watch a denied directory", "$P watch priv"));
    all.add(hidden("cannot execute a denied program", "$H/hidden/program"));
    all.add(hidden("cannot execute it by a descriptor", "$P execute priv/program"));
    all.add(hidden("cannot read it by the shell", ". priv/program"));
    all.add(
        hidden("cannot learn its size", "test \"$(stat -c %s $H/real/key)\" = 19")
            .provenBy("test \"$(stat -c %s $H/real/key)\" = 19"));
    all.add(hidden("cannot learn the names in a denied directory", "test -e priv/name"));
    all.add(
        Attack.of(
                Kind.FILES,
                Claim.MOUNTS,
                "cannot unmount what hides it",
                "$P unmount conf/key; umount -l conf/key; grep -q SECRET conf/key")
            .provenBy("$P unmount cache"));
  }
}
