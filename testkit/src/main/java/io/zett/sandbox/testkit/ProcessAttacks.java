package io.zett.sandbox.testkit;

import java.util.ArrayList;
import java.util.List;

/** Other processes, other identities, and outliving the command. */
final class ProcessAttacks {

  private ProcessAttacks() {}

  static List<Attack> all() {
    List<Attack> all = new ArrayList<>();
    seen(all);
    first(all);
    outliving(all);
    identity(all);
    return all;
  }

  private static Attack other(String name, String attempt) {
    return Attack.of(Kind.PROCESSES, Claim.OTHER_PROCESSES, name, attempt);
  }

  private static void seen(List<Attack> all) {
    all.add(
        other(
            "cannot see a process of the host",
            "cat /proc/[0-9]*/cmdline | grep -aqF -f $H/victim"));
    all.add(
        other(
            "cannot see more than its own processes",
            "test $(ls /proc | grep -c '^[0-9]') -gt 40"));
    all.add(other("cannot signal a process of the host", "$P signal $VICTIM"));
    all.add(other("cannot signal it by a descriptor", "$P signal-pidfd $VICTIM"));
    all.add(other("cannot end it", "$P signal-kill $VICTIM").provenBy("$P signal $VICTIM"));
    all.add(other("cannot stop it", "$P signal-stop $VICTIM").provenBy("$P signal $VICTIM"));
    all.add(
        other("cannot end everything", "kill -KILL -1; $P signal $VICTIM")
            .in(Setting.ALONE)
            .provenBy("$P signal $VICTIM"));
    all.add(other("cannot have the kernel signal it", "$P owner $VICTIM"));
    all.add(other("cannot trace it", "$P attach $VICTIM").provenBy("$P attach 0"));
    all.add(other("cannot read its memory", "$P read-other $VICTIM").provenBy("$P read-other 0"));
    all.add(other("cannot open its memory", "$P open-memory $VICTIM").provenBy("$P open-memory 0"));
    all.add(
        other("cannot take its descriptors", "$P steal-descriptor $VICTIM")
            .provenBy("$P steal-descriptor 0"));
    all.add(other("cannot change its priority", "renice -n 19 -p $VICTIM"));
    all.add(other("cannot change its limits", "prlimit --pid $VICTIM --core=1"));
    all.add(
        other("cannot end a process of the host in any of these ways", "false")
            .unproven("judged from outside after all of them")
            .judgedBy(Trace.VICTIM));
  }

  private static void first(List<Attack> all) {
    String[][] ways = {
      {"trace it", "attach"},
      {"read its memory", "read-other"},
      {"open its memory", "open-memory"},
      {"take its descriptors", "steal-descriptor"},
      {"list its descriptors", "list-descriptors"}
    };
    for (String[] way : ways) {
      all.add(
          Attack.of(
                  Kind.PROCESSES,
                  Claim.FIRST_PROCESS,
                  "cannot reach the first process inside: " + way[0],
                  "$P " + way[1] + " 1")
              .provenBy("$P " + way[1] + " 0"));
    }
    all.add(
        Attack.of(
                Kind.PROCESSES,
                Claim.FIRST_PROCESS,
                "cannot end the first process inside",
                "kill -KILL 1; sleep 0.1; test ! -d /proc/1")
            .in(Setting.ALONE)
            .unproven("would end the machine"));
  }

  private static void outliving(List<Attack> all) {
    String[][] ways = {
      {"in the background", "$P linger $MARK &"},
      {"with nohup", "nohup $P linger $MARK >/dev/null 2>&1 &"},
      {"in a session of its own", "setsid $P linger $MARK &"},
      {"detached by two forks", "$P linger-detached $MARK;"},
      {"adopted by another", "$P linger-adopted $MARK;"},
      {"as its parent's sibling", "$P linger-vfork $MARK;"},
      {"stopped", "setsid $P linger-stopped $MARK &"},
      {"as the end of a pipe", "sleep 1 | $P linger $MARK &"},
      {"holding its output open", "setsid sh -c '$P linger $MARK' >&2 &"}
    };
    for (String[] way : ways) {
      all.add(
          Attack.of(
                  Kind.PROCESSES,
                  Claim.END,
                  "cannot outlive its command " + way[0],
                  way[1] + " until test -e $MARK; do sleep 0.01; done; false")
              .judgedBy(Trace.PROCESS));
    }
    all.add(
        Attack.of(
                Kind.PROCESSES,
                Claim.TIMEOUT,
                "cannot outlast its time limit",
                "trap '' TERM HUP INT; $P linger-detached $MARK; while :; do :; done")
            .in(Setting.TIMEOUT)
            .unproven("would not end")
            .judgedBy(Trace.PROCESS));
  }

  private static Attack privilege(String name, String attempt) {
    return Attack.of(Kind.IDENTITY, Claim.PRIVILEGES, name, attempt);
  }

  private static void identity(List<Attack> all) {
    all.add(privilege("cannot become root", "$P become 0"));
    all.add(privilege("cannot become another user", "$P become 1234"));
    all.add(privilege("cannot join root's group", "$P become-group 0"));
    all.add(privilege("cannot choose its groups", "$P groups 0"));
    all.add(privilege("cannot use files as root", "$P file-user 0"));
    all.add(privilege("cannot use a capability", "$P privileges"));
    all.add(privilege("cannot take a capability", "$P take-privileges"));
    all.add(privilege("cannot keep one in its bounding set", "$P bounding"));
    all.add(privilege("cannot gain privileges by a set-id program", "$P may-gain"));
    all.add(privilege("cannot become root by su", "su root -c true").provenBy("su root -c true"));
    all.add(privilege("cannot raise its own priority", "$P nice"));
    all.add(privilege("cannot run in real time", "$P real-time"));
    all.add(privilege("cannot raise its core file limit", "$P raise-limit 4"));
    all.add(privilege("cannot give a file away", "echo x > f$ID; chown 1 f$ID"));
    all.add(privilege("cannot be uid 0", "test $(id -u) = 0"));
  }
}
