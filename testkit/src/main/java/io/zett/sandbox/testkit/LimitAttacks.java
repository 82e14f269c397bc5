package io.zett.sandbox.testkit;

import java.util.ArrayList;
import java.util.List;

/** Using more than a policy allows. What is used is small enough to be shown on the host. */
final class LimitAttacks {

  private LimitAttacks() {}

  private static Attack use(Setting setting, String name, String attempt) {
    return Attack.of(Kind.LIMITS, Claim.LIMITS, name, attempt).in(setting);
  }

  static List<Attack> all() {
    List<Attack> all = new ArrayList<>();
    all.add(use(Setting.MEMORY, "cannot use more memory in one process", "$P memory 160"));
    all.add(use(Setting.MEMORY, "cannot use more memory in many", "$P memory-spread 200"));
    all.add(use(Setting.MEMORY, "cannot keep more in a memory file", "$P memory-file 160"));
    all.add(use(Setting.MEMORY, "cannot keep more in shared memory", "$P memory-segment 160"));
    for (String place : List.of("/tmp", "/dev/shm")) {
      all.add(
          use(
              Setting.MEMORY,
              "cannot keep more memory in " + place,
              "$P keep-file " + place + "/$MARK 160"));
    }
    all.add(use(Setting.PROCESSES, "cannot start more processes", "$P many-processes 200"));
    all.add(use(Setting.PROCESSES, "cannot start more threads", "$P many-threads 200"));
    all.add(
        use(Setting.CPU_SECONDS, "cannot burn more processor time", "$P burn 2500 1")
            .provenBy("$P burn 50 1"));
    all.add(
        use(Setting.CPU_SECONDS, "cannot burn more in many processes", "$P burn 3000 3")
            .provenBy("$P burn 60 3"));
    all.add(use(Setting.OPEN_FILES, "cannot open more files", "$P many-descriptors 100"));
    all.add(
        use(
                Setting.OPEN_FILES,
                "cannot raise the limit of open files",
                "ulimit -n 64; ulimit -Hn 64; $P raise-limit 7")
            .provenBy("test $(ulimit -Hn) -ge 64"));
    all.add(use(Setting.FILE_SIZE, "cannot write a larger file", "$P fill-file f$ID 4"));
    all.add(use(Setting.FILE_SIZE, "cannot grow a larger file", "$P grow-file f$ID 4"));
    all.add(use(Setting.FILE_SIZE, "cannot allocate a larger file", "$P allocate-file f$ID 4"));
    all.add(
        use(Setting.FILE_SIZE, "cannot raise the limit of file size", "$P raise-limit 1")
            .provenBy("test $(ulimit -Hf) = unlimited"));
    for (String place : List.of("/tmp", "/var/tmp", "/dev/shm")) {
      all.add(
          use(
              Setting.SCRATCH,
              "cannot keep more in " + place,
              "$P fill-file " + place + "/$MARK 16"));
    }
    all.add(
        use(Setting.SCRATCH, "cannot write to the rest of /dev", "$P fill-file /dev/$MARK 1")
            .provenBy("test -w /dev"));
    all.add(
        use(Setting.SCRATCH, "cannot write to /run", "$P fill-file /run/$MARK 1")
            .provenBy("test -w /run"));
    return all;
  }
}
