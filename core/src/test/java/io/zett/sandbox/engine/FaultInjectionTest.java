package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxException;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.cases.outside.Eventually;
import io.zett.sandbox.cases.outside.Possessions;
import io.zett.sandbox.faults.CallSite;
import io.zett.sandbox.faults.FaultSource.Candidate;
import io.zett.sandbox.faults.FaultSource.Fault;
import io.zett.sandbox.faults.Refusals;
import io.zett.sandbox.posix.Errno;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every system call that opening a sandbox, running a command and closing make is refused once. The
 * operation succeeds unharmed or tells by its own exception what was refused; nothing is left
 * behind, and the next command runs.
 *
 * <p>The short form takes of each place in the library the first and the last call, with one of the
 * errors that fit, and of those a sample; {@code -Dzett.test.faults=all} takes every call with
 * every error.
 */
@Timeout(3600)
class FaultInjectionTest {
  private static final boolean ALL = "all".equals(System.getProperty("zett.test.faults"));
  private static final int SAMPLE = Integer.getInteger("zett.test.faults.sample", 25);
  private static final int LINES = 20_000;
  private static final int LENGTH = 108_894; // of the numbers up to there

  @TempDir Path host;
  private final FaultyEngine machine = new FaultyEngine();
  private String temporary = "";

  @BeforeEach
  void ownTemporaryDirectory() throws Exception {
    temporary = System.getProperty("java.io.tmpdir");
    System.setProperty("java.io.tmpdir", Files.createDirectory(host.resolve("tmp")).toString());
    machine.open(policy(), null).close(); // what is looked at once in a JVM
  }

  @AfterEach
  void commonTemporaryDirectory() {
    System.setProperty("java.io.tmpdir", temporary);
  }

  private Path workspace() throws Exception {
    return Files.createDirectories(host.resolve("work/denied")).getParent();
  }

  private SandboxPolicy policy() {
    return SandboxPolicy.builder()
        .memory("512MB")
        .processes(64)
        .cpuSeconds(60)
        .cpus(1)
        .denyRead(host.resolve("work/denied"), host.resolve("work/missing"))
        .build();
  }

  /** What is done while one call fails. */
  enum Operation {
    OUTPUT,
    INPUT,
    PAST_THE_CAP,
    TIME_OUT,
    CANCEL
  }

  @ParameterizedTest
  @EnumSource
  void aCallRefusedWhileACommandRunsIsToleratedOrTold(Operation operation) throws Exception {
    Path workspace = workspace();
    Engine engine = machine.open(policy(), workspace);
    for (int i = 0; i < 3; i++) {
      assertThat(perform(operation, engine, workspace)).isEqualTo(expected(operation));
    }
    FaultyEngine.assertWorks("nothing", engine);
    List<String> held = steady();
    machine.faults.record();
    perform(operation, engine, workspace);
    List<Fault> faults = faults(machine.faults.recorded());
    String plan = machine.plans.last();
    assertThat(plan).contains("denied", "missing");
    Problems problems = new Problems();
    for (Fault fault : faults) {
      machine.faults.arm(fault);
      Engine running = engine;
      try {
        String found = attempt(fault, () -> perform(operation, running, workspace));
        boolean failed = machine.faults.disarm();
        if (!failed || !found.startsWith("told: ")) {
          assertThat(found).as("%s", fault).isEqualTo(expected(operation));
          if (Refusals.isShortage(fault.errno())) {
            assertThat(machine.plans.last()).as("plan after %s", fault).isEqualTo(plan);
          }
        }
        FaultyEngine.assertWorks(fault, engine);
        machine.awaitHeld(fault, held);
      } catch (AssertionError | Exception e) {
        machine.faults.disarm();
        problems.add(fault, e);
        Engine broken = engine;
        FaultyEngine.within(
            "closing after " + fault,
            () -> {
              broken.close();
              return "";
            });
        machine.forget();
        engine = machine.open(policy(), workspace);
        for (int i = 0; i < 3; i++) {
          FaultyEngine.assertWorks("a new session", engine);
        }
        held = steady();
      }
    }
    engine.close();
    machine.open(policy(), null).close();
    problems.assertNone(faults.size());
    machine.assertNothingHeld(operation);
  }

  @Test
  void aCallRefusedWhileASandboxOpensIsToleratedOrTold() throws Exception {
    Path workspace = workspace();
    machine.faults.record();
    Engine first = machine.open(policy(), workspace);
    List<Fault> faults = faults(machine.faults.recorded());
    FaultyEngine.assertWorks("nothing", first);
    String plan = machine.plans.last();
    String report = first.report().toString();
    first.close();
    Problems problems = new Problems();
    for (Fault fault : faults) {
      machine.faults.arm(fault);
      try {
        String found =
            attempt(
                fault,
                () -> {
                  Engine engine = machine.open(policy(), workspace);
                  machine.faults.disarm();
                  FaultyEngine.assertWorks(fault, engine);
                  String reported = engine.report().toString();
                  engine.close();
                  return reported;
                });
        machine.faults.disarm();
        if (!found.startsWith("told: ")) {
          if (Refusals.isShortage(fault.errno())) {
            assertThat(found).as("report after %s", fault).isEqualTo(report);
            assertThat(machine.plans.last()).as("plan after %s", fault).isEqualTo(plan);
          }
        }
        machine.awaitHeld(fault, List.of());
      } catch (AssertionError | Exception e) {
        machine.faults.disarm();
        problems.add(fault, e);
        machine.forget();
      }
    }
    Engine last = machine.open(policy(), null);
    FaultyEngine.assertWorks("all", last);
    last.close();
    problems.assertNone(faults.size());
    machine.assertNothingHeld("opening");
    assertNothingTemporary();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCallRefusedWhileASandboxClosesIsTolerated(boolean busy) throws Exception {
    closing(null, busy);
    machine.faults.record();
    closing(null, busy);
    List<Fault> faults = faults(machine.faults.recorded());
    Problems problems = new Problems();
    for (Fault fault : faults) {
      try {
        assertThat(attempt(fault, () -> closing(fault, busy))).as("%s", fault).isEqualTo("closed");
        machine.faults.disarm();
        Engine next = machine.open(policy(), null);
        FaultyEngine.assertWorks(fault, next);
        next.close();
        machine.awaitHeld(fault, List.of());
      } catch (AssertionError | Exception e) {
        machine.faults.disarm();
        problems.add(fault, e);
        machine.forget();
      }
    }
    machine.open(policy(), null).close();
    problems.assertNone(faults.size());
    machine.assertNothingHeld("closing");
    assertNothingTemporary();
  }

  /** Nothing but the folder of locks, which stays. */
  private void assertNothingTemporary() {
    assertThat(Possessions.entries(host.resolve("tmp")))
        .noneMatch(path -> !path.getFileName().toString().startsWith(".zett-locks-"));
  }

  /** Opens, and closes while the fault is armed; recorded from there, too. */
  private String closing(@Nullable Fault fault, boolean busy) throws Exception {
    Engine engine = machine.open(policy(), null);
    FaultyEngine.assertWorks("opening", engine);
    CompletableFuture<SandboxResult> running = null;
    if (busy) {
      Path started = engine.workspace().resolve("started");
      running = engine.runAsync(SandboxCommand.shell("touch started; sleep 600"));
      Eventually.within(Duration.ofSeconds(20), "the command runs", () -> Files.exists(started));
    }
    if (fault == null) {
      machine.faults.record();
    } else {
      machine.faults.arm(fault);
    }
    engine.close();
    if (running != null) {
      assertThatThrownBy(running::join)
          .hasCauseInstanceOf(
              running.isCancelled() ? SandboxCanceledException.class : SandboxSetupException.class);
    }
    return "closed";
  }

  private String perform(Operation operation, Engine engine, Path workspace) throws Exception {
    return switch (operation) {
      case OUTPUT -> shown(engine.run(SandboxCommand.shell("seq " + LINES + "; echo err >&2")));
      case INPUT -> shown(engine.run(SandboxCommand.shell("wc -c").input(new byte[300_000])));
      case PAST_THE_CAP ->
          shown(engine.run(SandboxCommand.shell("seq " + LINES).maxOutputBytes(10)));
      case TIME_OUT ->
          shown(
              engine.run(
                  SandboxCommand.shell("sleep 600 & sleep 600").timeout(Duration.ofMillis(20))));
      case CANCEL -> canceled(engine, workspace);
    };
  }

  private static String canceled(Engine engine, Path workspace) throws Exception {
    Path started = workspace.resolve("started");
    Files.deleteIfExists(started);
    SandboxCommand command = SandboxCommand.shell("sleep 600 & touch started; sleep 600");
    CommandRun run = engine.begin(command, CommandStreams.captured(command));
    FutureTask<String> done = new FutureTask<>(() -> shown(run.execute()));
    Thread.ofVirtual().start(done);
    Eventually.within(
        Duration.ofSeconds(20), "it runs", () -> done.isDone() || Files.exists(started));
    run.cancel("by the test");
    try {
      return done.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SandboxCanceledException told) {
        return "canceled: " + told.reason();
      }
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static String expected(Operation operation) {
    return switch (operation) {
      case OUTPUT -> "Exited[code=0] " + LENGTH + " of " + LENGTH + " err\n";
      case INPUT -> "Exited[code=0] 7 of 7 ";
      case PAST_THE_CAP -> "Exited[code=0] 10 of " + LENGTH + " ";
      case TIME_OUT -> "TimedOut[limit=PT0.02S] 0 of 0 ";
      case CANCEL -> "canceled: by the test";
    };
  }

  private static String shown(SandboxResult result) {
    return result.outcome()
        + " "
        + result.stdoutBytes().length
        + " of "
        + result.stdoutTotalBytes()
        + " "
        + result.stderr();
  }

  /** What an operation gives, or what it tells: by its own exceptions, with the kernel's words. */
  private static String attempt(Fault fault, Callable<String> operation) throws Exception {
    try {
      return FaultyEngine.within(fault, operation);
    } catch (SandboxSetupException e) {
      assertThat(e.step()).as("%s", fault).isNotBlank();
      return told(fault, e);
    } catch (SandboxUnavailableException e) {
      assertThat(e.fix()).as("%s", fault).isNotBlank();
      return told(fault, e);
    }
  }

  private static String told(Fault fault, SandboxException e) {
    assertThat(e).as("%s", fault).hasMessageContaining(Errno.describe(fault.errno()));
    return "told: " + e.getMessage();
  }

  /** What is held once the groups of the next command have been made, too. */
  private List<String> steady() {
    List<String> held = machine.held();
    int same = 0;
    while (same < 20) {
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
      List<String> now = machine.held();
      same = now.equals(held) ? same + 1 : 0;
      held = now;
    }
    return held;
  }

  private static List<Fault> faults(List<Candidate> calls) {
    List<Fault> faults = new ArrayList<>();
    Map<CallSite, Integer> last = new HashMap<>();
    calls.forEach(call -> last.merge(call.site(), call.nth(), Math::max));
    for (Candidate call : calls) {
      List<Integer> fitting = call.refusals();
      if (ALL) {
        fitting.forEach(errno -> faults.add(new Fault(call.site(), call.nth(), errno)));
      } else if (call.nth() == 0 || Integer.valueOf(call.nth()).equals(last.get(call.site()))) {
        int errno = fitting.get(faults.size() % fitting.size());
        faults.add(new Fault(call.site(), call.nth(), errno));
      }
    }
    if (ALL || faults.size() <= SAMPLE) {
      return faults;
    }
    List<Fault> some = new ArrayList<>();
    for (int i = 0; i < SAMPLE; i++) {
      some.add(faults.get((int) ((long) i * faults.size() / SAMPLE)));
    }
    return some;
  }

  /** All that went wrong, told together. */
  private static final class Problems {
    private final Map<String, Throwable> found = new LinkedHashMap<>();

    void add(Fault fault, Throwable problem) {
      found.put(fault.toString(), problem);
    }

    void assertNone(int of) {
      assertThat(found.entrySet().stream().map(Problems::shown).toList())
          .as("problems of %d faults", of)
          .isEmpty();
    }

    private static String shown(Map.Entry<String, Throwable> entry) {
      StringWriter text = new StringWriter();
      entry.getValue().printStackTrace(new PrintWriter(text));
      return "\n=== " + entry.getKey() + "\n" + text;
    }
  }
}
