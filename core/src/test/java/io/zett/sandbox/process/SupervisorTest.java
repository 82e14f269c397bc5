package io.zett.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.Commands.Launch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** From the launcher's start to the end of a command. */
@Timeout(60)
class SupervisorTest {

  private final Commands commands = new Commands();

  @AfterEach
  void nothingIsLeft() {
    commands.close();
    commands.assertNothingRuns();
  }

  @ParameterizedTest
  @EnumSource
  void statusAndBothStreamsAreTold(Launch launch) {
    var done = commands.shell(launch, "echo out; echo err >&2; exit 7").run();
    assertThat(done.code()).isEqualTo(7);
    assertThat(done.out()).isEqualTo("out\n");
    assertThat(done.err()).isEqualTo("err\n");
    assertThat(done.ending().wallNanos()).isBetween(1L, Duration.ofSeconds(10).toNanos());
    assertThat(done.ending().setupNanos()).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void mergedStreamsKeepTheirOrder(Launch launch) {
    var done = commands.shell(launch, "echo a; echo b >&2; echo c").merged().run();
    assertThat(done.out()).isEqualTo("a\nb\nc\n");
  }

  @ParameterizedTest
  @EnumSource
  void aSignalIsToldExactly(Launch launch) {
    var done = commands.shell(launch, "kill -SEGV $$").run();
    assertThat(done.ending().how()).isInstanceOf(Ending.Exited.class);
    Ending.Exited exited = (Ending.Exited) done.ending().how();
    assertThat(exited.signal()).isEqualTo(11);
    assertThat(exited.code()).isEqualTo(139);
    var same = commands.shell(launch, "exit 139").run();
    assertThat(same.ending().how()).isEqualTo(new Ending.Exited(139 << 8, 0));
  }

  @ParameterizedTest
  @EnumSource
  void aProgramThatIsMissingOrNoProgramIsAResult(Launch launch) {
    var missing = commands.program(launch, "no-such-program").run();
    assertThat(missing.ending().how()).isEqualTo(new Ending.Exited(127 << 8, Errno.ENOENT));
    assertThat(missing.err()).contains("no-such-program: command not found");
    var directory = commands.program(launch, "/etc").run();
    assertThat(directory.ending().how()).isEqualTo(new Ending.Exited(126 << 8, Errno.EACCES));
  }

  @ParameterizedTest
  @EnumSource
  void argumentsAndEnvironmentArriveExactly(Launch launch) {
    var done =
        commands
            .program(launch, "/bin/sh", "-c", "printf '%s|' \"$@\" \"$V\"", "-", "a b", "", "漢\n*")
            .run();
    assertThat(done.out()).isEqualTo("a b||漢\n*|é|");
  }

  @ParameterizedTest
  @EnumSource
  void aMissingDirectoryIsASetupFailure(Launch launch) {
    var command = commands.shell(launch, "echo never");
    command.directory = "/no/such/dir";
    SetupFailure failure = setupFailure(command.run());
    assertThat(failure.step()).isEqualTo("working directory");
    assertThat(failure.errno()).isEqualTo(Errno.ENOENT);
    assertThat(failure.path()).hasToString("/no/such/dir");
    assertThat(failure.detail()).startsWith("No such file");
    assertThat(Commands.text(command.out)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void limitsAreSetForTheCommand(Launch launch) {
    var command = commands.shell(launch, "ulimit -n; ulimit -c");
    command.rlimits =
        List.of(
            new Rlimit(Constants.RLIMIT_NOFILE, 33, 44), new Rlimit(Constants.RLIMIT_CORE, 0, 0));
    assertThat(command.run().out()).isEqualTo("33\n0\n");
  }

  @ParameterizedTest
  @EnumSource
  void whatTheCommandUsedIsTold(Launch launch) {
    var done =
        commands.shell(launch, "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done & wait").run();
    assertThat(done.code()).isZero();
    Ending.Usage usage = done.ending().usage();
    assertThat(usage.userMicros() + usage.systemMicros()).isGreaterThan(10_000);
    assertThat(usage.maxRssKib()).isGreaterThan(200);
  }

  @ParameterizedTest
  @EnumSource
  void aGrandchildThatHoldsThePipeIsNotWaitedFor(Launch launch) {
    for (String text :
        List.of(
            "sleep 600 & echo hi; exit 3",
            "(sleep 600; echo late) >&2 & echo hi; exit 3",
            "setsid sh -c 'sleep 600' & echo hi; exit 3")) {
      long begin = System.nanoTime();
      var done = commands.shell(launch, text).run();
      assertThat(done.code()).isEqualTo(3);
      assertThat(done.out()).isEqualTo("hi\n");
      assertThat(System.nanoTime() - begin).isLessThan(Duration.ofSeconds(3).toNanos());
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingOfACommandOutlivesItsTimeout(Launch launch) {
    String mark = "7" + System.nanoTime();
    var done =
        commands
            .shell(
                launch,
                "trap '' TERM INT HUP; (setsid sh -c '(trap \"\" TERM; exec sleep 60"
                    + mark
                    + ")&')"
                    + " & echo begun; exec sleep 61"
                    + mark)
            .timeout(Duration.ofMillis(300))
            .run();
    assertThat(done.ending().how()).isEqualTo(new Ending.TimedOut());
    assertThat(done.out()).isEqualTo("begun\n");
    assertThat(done.ending().wallNanos())
        .isBetween(Duration.ofMillis(300).toNanos(), Duration.ofSeconds(3).toNanos());
    assertThat(Commands.isRunning(mark)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void anExitAndADeadlineAtOnceAreToldAsOneOfThem(Launch launch) {
    for (int i = 0; i < 40; i++) {
      var done = commands.shell(launch, "sleep 0.03").timeout(Duration.ofMillis(26 + i / 2)).run();
      assertThat(done.ending().how()).isIn(new Ending.Exited(0, 0), new Ending.TimedOut());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCommandIsEndedAtAnyMoment(Launch launch) throws Exception {
    for (int i = 0; i < 150; i++) {
      Supervisor supervisor = commands.shell(launch, "sleep 100").start();
      if (i % 10 > 0) {
        Thread.sleep(0, (i * 7919 % 1000) * 10_000 % 1_000_000);
        Thread.sleep(i * 31 % 9);
      }
      supervisor.end(EndReason.CANCELED);
      supervisor.end(EndReason.LIMIT);
      assertThat(Commands.await(supervisor).how()).isEqualTo(new Ending.Ended(EndReason.CANCELED));
    }
  }

  @ParameterizedTest
  @EnumSource
  void endingWhatHasEndedChangesNothing(Launch launch) {
    var command = commands.shell(launch, "exit 4");
    Supervisor supervisor = command.start();
    assertThat(command.finish(supervisor).code()).isEqualTo(4);
    supervisor.end(EndReason.CANCELED);
    supervisor.signal(15, false);
    assertThat(command.finish(supervisor).code()).isEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource
  void aSignalReachesTheCommand(Launch launch) {
    var command =
        commands.shell(launch, "trap 'echo got; exit 9' TERM; while :; do sleep 0.1; done");
    command.verifier = pid -> {};
    Supervisor supervisor = command.start();
    while (!supervisor.ending().isDone()) {
      supervisor.signal(Constants.SIGTERM, false); // the shell may not have its trap yet
      java.util.concurrent.locks.LockSupport.parkNanos(300_000_000);
    }
    assertThat(command.finish(supervisor).ending().how())
        .isIn(new Ending.Exited(9 << 8, 0), new Ending.Exited(15, 0));
  }

  @Test
  void aBadLauncherArgumentIsToldInTheLaunchersWords() {
    var command = commands.shell(Launch.BUBBLEWRAP, "echo never");
    command.launcherOptions = List.of("--no-such-option");
    SetupFailure failure = setupFailure(command.run());
    assertThat(failure.detail())
        .contains("no-such-option")
        .endsWith("(the launcher exited with status 1)");
  }

  @Test
  void aMissingLauncherIsASetupFailure() {
    var command = commands.shell(Launch.BUBBLEWRAP, "echo never");
    command.launcher = UnixPath.ofText("/no/such/launcher");
    SetupFailure failure = setupFailure(command.run());
    assertThat(failure.step()).isEqualTo("start the launcher");
    assertThat(failure.errno()).isEqualTo(Errno.ENOENT);
    assertThat(failure.detail()).startsWith("/no/such/launcher: ");
  }

  @Test
  void aLauncherThatNeverGetsReadyIsEnded() {
    var command = commands.shell(Launch.BUBBLEWRAP, "echo never");
    command.launcherOptions = List.of("--sync-fd", "3", "--block-fd", "7");
    command.input = new Input.Stream(new SilentStream());
    command.setupDeadline = Duration.ofMillis(300);
    assertThat(setupFailure(command.run()).detail()).startsWith("not ready after");
  }

  @ParameterizedTest
  @EnumSource
  void aVerifierDecidesBeforeAnythingRuns(Launch launch) {
    AtomicInteger pid = new AtomicInteger();
    for (boolean cheap : new boolean[] {false, true}) {
      var command = commands.shell(launch, "echo never");
      command.verifier =
          new Verifier() {
            @Override
            public void verify(int init) {
              pid.set(init);
              assertThat(ProcessHandle.of(init)).isPresent();
              throw new SetupFailure("look", 0, "not as it should be");
            }

            @Override
            public boolean isCheap() {
              return cheap;
            }
          };
      SetupFailure failure = setupFailure(command.run());
      assertThat(failure.step()).isEqualTo("look");
      assertThat(Commands.text(command.out)).isEmpty();
      assertThat(pid.get()).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aVerifierThatBreaksIsToldAsItIs(Launch launch) {
    Supervisor supervisor =
        commands
            .shell(launch, "echo never")
            .verifier(
                pid -> {
                  throw new IllegalStateException("broken");
                })
            .start();
    assertThatThrownBy(() -> supervisor.ending().join()).hasRootCauseMessage("broken");
  }

  @ParameterizedTest
  @EnumSource
  void aCommandIsEndedWhileItIsBeingVerified(Launch launch) throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    var command =
        commands
            .shell(launch, "echo never")
            .verifier(
                pid -> {
                  entered.countDown();
                  try {
                    leave.await();
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                });
    Supervisor supervisor = command.start();
    entered.await();
    supervisor.end(EndReason.CANCELED);
    assertThat(command.finish(supervisor).ending().how())
        .isEqualTo(new Ending.Ended(EndReason.CANCELED));
    leave.countDown();
    assertThat(Commands.text(command.out)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void anInitThatOthersKillIsLost(Launch launch) throws Exception {
    AtomicInteger pid = new AtomicInteger();
    CountDownLatch begun = new CountDownLatch(1);
    Supervisor supervisor =
        commands
            .shell(launch, "echo begun; sleep 100")
            .out(new Relay(new NotifyingStream(begun)))
            .verifier(pid::set)
            .start();
    begun.await();
    commands.posix.kill(pid.get(), Constants.SIGKILL);
    assertThat(Commands.await(supervisor).how()).isInstanceOf(Ending.Lost.class);
  }

  @ParameterizedTest
  @EnumSource
  void closingTheLoopEndsEveryCommand(Launch launch) {
    List<Supervisor> running = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      running.add(commands.shell(launch, "sleep 100").start());
    }
    commands.loop.close();
    for (Supervisor supervisor : running) {
      assertThat(supervisor.ending()).isDone();
      assertThat(supervisor.ending().join().how()).isEqualTo(new Ending.Ended(EndReason.CLOSED));
    }
    List<String> before = Commands.descriptors();
    Commands.Builder late = commands.shell(launch, "echo never");
    assertThatThrownBy(late::start).isInstanceOf(RejectedExecutionException.class);
    assertThat(Commands.descriptors()).hasSameSizeAs(before);
  }

  private static SetupFailure setupFailure(Commands.Done done) {
    if (done.ending().how() instanceof Ending.SetupFailed(SetupFailure failure)) {
      assertThat(done.ending().wallNanos()).isZero();
      return failure;
    }
    throw new AssertionError("no set-up failure but " + done.ending().how());
  }
}
