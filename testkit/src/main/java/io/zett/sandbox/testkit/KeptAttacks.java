package io.zett.sandbox.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * Writing to what is denied inside the workspace: {@code kept}, {@code deep/er/kept}, and {@code
 * .git}, which does not exist; and making the next command's rules mean something else.
 */
final class KeptAttacks {

  private KeptAttacks() {}

  private static Attack kept(String name, String attempt) {
    return Attack.of(Kind.FILES, Claim.DENY_WRITE, name, attempt);
  }

  static List<Attack> all() {
    List<Attack> all = new ArrayList<>();
    existing(all);
    missing(all);
    betweenCommands(all);
    all.add(
        kept("cannot change what is kept in any of these ways", "false")
            .unproven("judged from outside after all of them")
            .judgedBy(Trace.KEPT));
    return all;
  }

  private static void existing(List<Attack> all) {
    all.add(kept("cannot write to a kept file", "echo x > kept/file"));
    all.add(kept("cannot make a file in a kept directory", "echo x > kept/new$ID"));
    all.add(kept("cannot remove a kept file", "rm -f kept/file && test ! -e kept/file"));
    all.add(kept("cannot rename a kept file", "mv kept/file kept/new$ID"));
    all.add(kept("cannot move a kept file out", "mv kept/file got$ID && test ! -e kept/file"));
    all.add(kept("cannot rename a kept directory", "mv kept kept$ID"));
    all.add(kept("cannot rename the parent of a kept directory", "mv deep/er deep/er$ID"));
    all.add(kept("cannot rename the grandparent of a kept directory", "mv deep deep$ID"));
    all.add(kept("cannot remove the way to a kept directory", "rm -rf deep; test ! -e deep"));
    all.add(kept("cannot put a link in its place", "rm -rf kept; ln -sT cache kept"));
    all.add(kept("cannot put a link in its parent's place", "rm -rf deep; ln -sT cache deep"));
    all.add(
        kept(
            "cannot put another directory in its place",
            "mv deep/er deep/m$ID; mkdir n$ID; mv -T n$ID deep/er"));
    all.add(kept("cannot exchange a kept directory", "$P exchange kept cache"));
    all.add(kept("cannot exchange the parent of a kept directory", "$P exchange deep/er cache"));
    all.add(kept("cannot exchange the grandparent of one", "$P exchange deep cache"));
    all.add(
        kept(
            "cannot write to a kept file by a hard link",
            "$P hard-link kept/file h$ID && echo x >> h$ID"));
    all.add(
        kept(
            "cannot write to a kept file by a hard link from a descriptor",
            "$P link-descriptor kept/file h$ID && echo x >> h$ID"));
    all.add(kept("cannot write to it through a link", "ln -s kept l$ID && echo x > l$ID/new$ID"));
    all.add(kept("cannot write to it through /proc", "echo x > /proc/self/cwd/kept/new$ID"));
    all.add(kept("cannot reopen a kept file for writing", "$P upgrade kept/file"));
    all.add(kept("cannot climb into a kept directory", "$P climb deep/er kept/new$ID"));
    all.add(kept("cannot make an unnamed file there", "$P unnamed kept"));
    all.add(kept("cannot change its mode", "chmod 700 kept"));
    all.add(kept("cannot map a kept file for writing", "$P map-write kept/file"));
    all.add(kept("cannot hard-link into a kept directory", "echo x > f$ID; ln f$ID kept/new$ID"));
    all.add(kept("cannot copy over a kept file", "echo x > f$ID; cp -f f$ID kept/file"));
    all.add(kept("cannot replace a kept file by renaming", "echo x > f$ID; mv -f f$ID kept/file"));
    all.add(
        kept(
            "cannot unpack over a kept file",
            "mkdir -p t$ID/kept; echo x > t$ID/kept/file; tar -C t$ID -cf t$ID.tar kept;"
                + " tar --overwrite -xf t$ID.tar; grep -q x kept/file"));
  }

  private static void missing(List<Attack> all) {
    all.add(kept("cannot plant a hook", "mkdir -p .git/hooks && echo x > .git/hooks/pre-commit"));
    all.add(kept("cannot make it by moving a directory", "mkdir n$ID; mv -T n$ID .git"));
    all.add(
        kept(
            "cannot make it by moving a directory with a hook",
            "mkdir -p n$ID/hooks; echo x > n$ID/hooks/h; mv n$ID .git; test -e .git/hooks/h"));
    all.add(kept("cannot make it by a link", "ln -sT cache .git && test -L .git"));
    all.add(
        kept("cannot make it by exchanging", "$P exchange cache .git")
            .provenBy("mkdir .git; $P exchange cache .git"));
    all.add(kept("cannot make it a file", "echo 'gitdir: cache' > .git"));
    all.add(
        kept(
            "cannot make it after removing what holds its place",
            "rm -rf .git; rmdir .git; mkdir .git && echo x > .git/config"));
    all.add(
        kept("cannot move away what holds its place", "mv .git moved$ID && mkdir .git")
            .provenBy("mkdir .git; mv .git moved$ID && mkdir .git"));
    all.add(Attack.of(Kind.FILES, Claim.DENY_READ, "cannot make a denied file", "echo x > .env"));
    all.add(
        Attack.of(
            Kind.FILES,
            Claim.DENY_READ,
            "cannot make a denied file by a link",
            "ln -sT $H/file .env && cat .env"));
    all.add(
        Attack.of(
            Kind.FILES,
            Claim.DENY_READ,
            "cannot move a file to a denied name",
            "echo x > f$ID && mv -f f$ID .env"));
  }

  private static void betweenCommands(List<Attack> all) {
    for (String link : List.of("../H", "$H")) {
      String kind = link.startsWith("$") ? "an absolute" : "a relative";
      all.add(
          twice(
              Claim.WRITABLE,
              "cannot put " + kind + " link in a writable directory's place for the next command",
              "rm -rf cache; ln -sT " + link + " cache",
              "echo x > cache/new$ID"));
      all.add(
          twice(
              Claim.DENY_READ,
              "cannot read through " + kind + " link in a writable directory's place",
              "rm -rf cache; ln -sT " + link + " cache",
              "grep -q SECRET cache/hidden/key"));
    }
    all.add(
        twice(
            Claim.DENY_READ,
            "cannot move a secret's parent for the next command",
            "mv conf conf$ID",
            "grep -q SECRET conf$ID/key"));
    all.add(
        twice(
            Claim.DENY_WRITE,
            "cannot move a kept directory's parent for the next command",
            "mv deep deep$ID",
            "echo x > deep$ID/er/kept/new$ID"));
    all.add(
        twice(
            Claim.DENY_WRITE,
            "cannot turn the way to a denied path into a link to the launcher's old root",
            "ln -sT /oldroot$H gone && test -L gone",
            "test -e $H/planted || test -L gone"));
    all.add(
        twice(
            Claim.DENY_READ,
            "cannot keep a copy of a secret for the next command",
            "cp conf/key $W/copy",
            "grep -q SECRET copy"));
    for (String place : List.of("/tmp", "/var/tmp", "/dev/shm")) {
      all.add(
          twice(
              Claim.PRIVATE_TEMPORARY,
              "cannot leave a file in " + place + " for the next command",
              "echo x > " + place + "/$MARK",
              "cat " + place + "/$MARK && rm " + place + "/$MARK"));
    }
    all.add(
        Attack.of(
            Kind.FILES,
            Claim.PRIVATE_TEMPORARY,
            "cannot read a file of the host's /tmp",
            "cat $TEMP"));
    all.add(
        Attack.of(
                Kind.FILES,
                Claim.PRIVATE_TEMPORARY,
                "cannot reach the host's /tmp by /proc",
                "cat /proc/1/root$TEMP")
            .provenBy("cat /proc/$$/root$TEMP"));
  }

  private static Attack twice(Claim claim, String name, String first, String second) {
    return Attack.of(
            Kind.FILES,
            claim,
            name,
            "if [ $ROUND = 1 ]; then " + first + "; else " + second + "; fi")
        .in(Setting.TWICE);
  }
}
