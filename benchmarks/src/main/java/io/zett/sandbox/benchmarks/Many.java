package io.zett.sandbox.benchmarks;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSession;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Commands a second from many callers, against {@code xargs -P} over bubblewrap. */
final class Many implements Section {
  private static final List<Integer> CALLERS = List.of(1, 2, 4, 16, 64);
  private static final int COMMANDS = 100;
  private static final int QUICK_COMMANDS = 64;
  private static final int ROUNDS = 3;
  private static final int CROWD = 16;
  private static final SandboxCommand TRUE = SandboxCommand.of("true").checked();

  /** Arguments: how many commands, how many at once, then the command. */
  static final String XARGS = "n=$1 p=$2; shift 2; seq \"$n\" | xargs -P \"$p\" -n 1 \"$@\"";

  @Override
  public String name() {
    return "many";
  }

  @Override
  public String title() {
    return "Many callers at once";
  }

  @Override
  public void run(Settings settings, Results results) throws Exception {
    SandboxPolicy policy = SandboxPolicy.builder().build();
    int commands = settings.amount(COMMANDS, QUICK_COMMANDS);
    try (SandboxSession session = SandboxSession.builder(policy).open();
        Bubblewrap bubblewrap = new Bubblewrap(settings, policy)) {
      for (int callers : CALLERS) {
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", XARGS, "sh"));
        words.addAll(List.of(Integer.toString(commands), Integer.toString(callers)));
        words.addAll(bubblewrap.commandLine(List.of("true")));
        try (SpawnLoop xargs = settings.spawnLoop(words).withEnvironment().start();
            ExecutorService threads = Executors.newFixedThreadPool(callers)) {
          Pairs pairs =
              Pairs.take(
                  Rounds.exactly(1, settings.count(ROUNDS)),
                  Measured.perSecond(
                      commands,
                      Measured.milliseconds(() -> runAll(session, threads, callers, commands))),
                  Measured.perSecond(commands, xargs::milliseconds));
          results.add(
              Row.ratio(
                  "many",
                  callers + (callers == 1 ? " caller" : " callers"),
                  Unit.COMMANDS_PER_SECOND,
                  pairs,
                  "xargs -P " + callers + " bubblewrap",
                  Goal.atLeast(callers < CROWD ? 0.95 : 0.90)));
        }
      }
    }
  }

  /** Each caller has a thread and runs its share of the commands, one after the other. */
  private static void runAll(
      SandboxSession session, ExecutorService threads, int callers, int commands) throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (int caller = 0; caller < callers; caller++) {
      int share = commands / callers + (caller < commands % callers ? 1 : 0);
      running.add(
          threads.submit(
              () -> {
                for (int i = 0; i < share; i++) {
                  session.run(TRUE);
                }
              }));
    }
    for (Future<?> each : running) {
      each.get();
    }
  }
}
