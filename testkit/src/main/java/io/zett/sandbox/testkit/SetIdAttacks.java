package io.zett.sandbox.testkit;

import java.util.ArrayList;
import java.util.List;

/** Leaving a file that gives its owner's rights to whoever runs it. */
final class SetIdAttacks {

  private static final String[][] CALLS = {
    {"chmod", "chmod"},
    {"fchmod", "fchmod"},
    {"fchmodat", "fchmodat"},
    {"fchmodat2", "fchmodat2"},
    {"chmod with high bits set", "high-bits"},
    {"open", "open"},
    {"openat", "openat"},
    {"openat2", "openat2"},
    {"creat", "creat"},
    {"mknod", "mknod"},
    {"mknodat", "mknodat"},
    {"an unnamed file", "unnamed"}
  };

  private SetIdAttacks() {}

  private static Attack leave(String name, String attempt) {
    return Attack.of(Kind.SET_ID, Claim.SET_ID, name, attempt).judgedBy(Trace.STATUS);
  }

  static List<Attack> all() {
    List<Attack> all = new ArrayList<>();
    for (String[] call : CALLS) {
      all.add(
          leave("cannot leave a set-user file by " + call[0], "$P mode-" + call[1] + " 4755 u$ID"));
      all.add(
          leave(
              "cannot leave a set-group file by " + call[0], "$P mode-" + call[1] + " 2755 g$ID"));
    }
    all.add(leave("cannot leave a file with capabilities", "$P mode-capability 0 c$ID"));
    all.add(leave("cannot install a set-id file", "install -m 4755 /bin/true i$ID; test -u i$ID"));
    all.add(leave("cannot copy a set-id file with its mode", "cp -p $H/set-id s$ID; test -u s$ID"));
    all.add(leave("cannot unpack a set-id file", "tar -xpf $H/set-id.tar && test -u set-id"));
    all.add(
        leave("cannot set the bit in words", "cp /bin/true t$ID && chmod ug+s t$ID; test -u t$ID"));
    all.add(
        leave("cannot leave a set-id file in any of these ways", "false")
            .unproven("judged from outside after all of them")
            .judgedBy(Trace.SET_ID));
    return all;
  }
}
