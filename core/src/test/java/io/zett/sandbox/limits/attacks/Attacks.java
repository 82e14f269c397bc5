package io.zett.sandbox.limits.attacks;

import io.zett.sandbox.Enforcement.Level;
import io.zett.sandbox.Enforcement.Scope;
import io.zett.sandbox.HomeMode;
import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * What attackers can do against each limit under some settings, whatever the library says about it.
 */
final class Attacks {
  static final long MEMORY_MIB = 64;
  static final int PROCESSES = 8;
  private static final int SCRATCH_MIB = 16;
  private static final int OPEN_FILES = 24;
  private static final long FILE_BYTES = 100_000;
  private static final double CPUS = 0.1;
  private static final long SPIN_MILLIS = 2_000;

  /** An attack that had no success may have had bad luck. */
  private static final int ATTEMPTS = 4;

  private final Supplier<SandboxSession.Builder> settings;

  /** Attacks under these settings, to which the limits are added. */
  Attacks(Supplier<SandboxSession.Builder> settings) {
    this.settings = settings;
  }

  Verdict on(Limit limit) {
    return switch (limit) {
      case MEMORY -> memory();
      case CPUS -> cpus();
      case CPU_SECONDS -> cpuSeconds();
      case PROCESSES -> processes();
      case FILE_SIZE -> fileSize();
      case OPEN_FILES -> openFiles();
      case SCRATCH_SIZE -> scratchSize();
    };
  }

  private SandboxSession.Builder settings() {
    return settings.get().timeout(Duration.ofSeconds(90));
  }

  private static boolean wasEnded(SandboxResult result) {
    return result.outcome() instanceof Outcome.LimitExceeded;
  }

  private Verdict memory() {
    try (SandboxSession session = settings().memory(MEMORY_MIB << 20).open()) {
      Placement placement = Placement.in(session);
      SandboxResult one = Attacker.run(session, "hold private 200 1 300");
      SandboxResult ten = Attacker.run(session, "hold private 200 10 300");
      // Of the ten, some may be dead before others have as much: only one alone tells the most.
      long most = Attacker.had(one);
      boolean kept = !one.succeeded();
      boolean tree = !ten.succeeded();
      for (int i = 0; tree && most <= MEMORY_MIB && i < Surroundings.times(ATTEMPTS, 2); i++) {
        most = Math.max(most, Attacker.had(Attacker.run(session, "burst 400")));
      }
      String shown =
          !kept && !tree
              ? "200 MiB were held at once"
              : !tree
                  ? "ten processes held 200 MiB together"
                  : (most > MEMORY_MIB ? "more than " : "no more than ")
                      + MEMORY_MIB
                      + " MiB were held at once";
      if (!kept && !tree) {
        return Verdict.none(shown);
      }
      String mechanism =
          !placement.group("memory").isEmpty()
              ? placement.group("memory")
              : placement.limit("Max address space").equals("unlimited") ? "watchdog" : "RLIMIT_AS";
      return new Verdict(
          mechanism,
          tree ? Scope.TREE : Scope.PROCESS,
          tree && most <= MEMORY_MIB ? Level.FULL : Level.PARTIAL,
          shown);
    }
  }

  private Verdict cpus() {
    try (SandboxSession session = settings().cpus(CPUS).open()) {
      String mechanism = Placement.in(session).group("cpu");
      SandboxResult spun = Attacker.run(session, "spin 4 " + SPIN_MILLIS);
      double cores = Attacker.had(spun) * 10.0 / spun.usage().wall().toMillis();
      // A period of the scheduler may have begun with a full quota.
      boolean held = cores <= CPUS * 1.25 + 0.05;
      String shown =
          held
              ? "four busy processes had " + CPUS + " of a core"
              : "four busy processes had more than " + CPUS + " of a core";
      return held && !mechanism.isEmpty()
          ? new Verdict(mechanism, Scope.TREE, Level.FULL, shown)
          : Verdict.none(shown);
    }
  }

  private Verdict cpuSeconds() {
    try (SandboxSession session = settings().cpuSeconds(1).open()) {
      Placement placement = Placement.in(session);
      long parallel = millis(session, "burn parallel 4 700");
      long serial = millis(session, "burn serial 4 700");
      long trapped = millis(session, "burn trapped 1 4000");
      long forgotten = millis(session, "burn forgotten 4 700");
      long most = Math.max(Math.max(parallel, serial), Math.max(trapped, forgotten));
      boolean single = trapped < 3_000;
      boolean tree = parallel < 2_500 && serial < 2_500;
      boolean limited = !placement.limit("Max cpu time").equals("unlimited");
      String group = placement.group("cpuacct");
      String mechanism =
          !group.isEmpty()
              ? group
              : tree ? "watchdog, RLIMIT_CPU" : limited ? "RLIMIT_CPU" : "none";
      String shown =
          most <= 1_150
              ? "1 second could be had, in parallel, one after the other, under ignored signals"
              : tree
                  ? "children reaped under an ignored SIGCHLD had more than 1 second together"
                  : "four processes had more than 1 second together";
      if (!single) {
        return Verdict.none(shown);
      }
      return new Verdict(
          mechanism,
          tree ? Scope.TREE : Scope.PROCESS,
          most <= 1_150 ? Level.FULL : Level.PARTIAL,
          shown);
    }
  }

  private static long millis(SandboxSession session, String attack) {
    return Attacker.had(Attacker.run(session, attack)) * 10;
  }

  private Verdict processes() {
    try (SandboxSession session = settings().processes(PROCESSES).open()) {
      Placement placement = Placement.in(session);
      long most = 0;
      boolean ended = true;
      for (int i = 0; ended && most <= PROCESSES && i < Surroundings.times(ATTEMPTS, 2); i++) {
        SandboxResult forked = Attacker.run(session, "forks 60 300");
        most = Math.max(most, Attacker.had(forked));
        ended = !forked.succeeded();
      }
      String shown =
          (most > PROCESSES ? "more than " : "no more than ") + PROCESSES + " processes were added";
      if (!ended) {
        return Verdict.none("60 processes were added");
      }
      boolean limited = placement.limit("Max processes").equals(Integer.toString(PROCESSES + 2));
      String mechanism =
          !placement.group("pids").isEmpty()
              ? placement.group("pids")
              : limited ? "RLIMIT_NPROC" : "watchdog";
      return new Verdict(
          mechanism, Scope.TREE, most <= PROCESSES ? Level.FULL : Level.PARTIAL, shown);
    }
  }

  private Verdict fileSize() {
    try (SandboxSession session = settings().maxFileSize(FILE_BYTES).open()) {
      boolean exact = Attacker.run(session, "file exact " + FILE_BYTES).succeeded();
      boolean kept = true;
      for (String how : new String[] {"", " quiet", " sparse", " fallocate"}) {
        kept &= !Attacker.run(session, "file over" + " " + (FILE_BYTES + 1) + how).succeeded();
      }
      String shown = "a file of " + FILE_BYTES + " bytes can be made, one byte more cannot";
      String limit = Placement.in(session).limit("Max file size");
      return exact && kept && limit.equals(Long.toString(FILE_BYTES))
          ? new Verdict("RLIMIT_FSIZE", Scope.PROCESS, Level.FULL, shown)
          : Verdict.none("a file of more than " + FILE_BYTES + " bytes can be made");
    }
  }

  private Verdict openFiles() {
    try (SandboxSession session = settings().openFiles(OPEN_FILES).open()) {
      SandboxResult opened = Attacker.run(session, "files 200");
      String limit = Placement.in(session).limit("Max open files");
      boolean kept = Attacker.had(opened) == OPEN_FILES && !opened.succeeded();
      return kept && limit.equals(Integer.toString(OPEN_FILES))
          ? new Verdict(
              "RLIMIT_NOFILE",
              Scope.PROCESS,
              Level.FULL,
              "a process had " + OPEN_FILES + " open, and no more")
          : Verdict.none("a process had " + Attacker.had(opened) + " open");
    }
  }

  private Verdict scratchSize() {
    long size = (long) SCRATCH_MIB << 20;
    try (SandboxSession session = settings().scratchSize(size).home(HomeMode.PRIVATE).open()) {
      Placement placement = Placement.in(session);
      long most = 0;
      for (String place : new String[] {"/tmp", "/var/tmp", "/dev/shm", "$HOME"}) {
        String attack =
            "./" + Attacker.in(session) + " hold " + place + "/big 40 1 0; rm -f " + place + "/big";
        most = Math.max(most, Attacker.had(session.run(SandboxCommand.shell(attack))));
      }
      boolean kept =
          most <= SCRATCH_MIB && placement.mounts().contains("size=" + (size >> 10) + "k");
      return kept
          ? new Verdict(
              "tmpfs size",
              Scope.TREE,
              Level.FULL,
              "at most " + SCRATCH_MIB + " MiB could be put in each place")
          : Verdict.none("more than " + SCRATCH_MIB + " MiB could be put in one place");
    }
  }
}
