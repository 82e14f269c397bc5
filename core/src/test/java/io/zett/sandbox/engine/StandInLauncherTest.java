package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.Limit;
import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.backend.InitCommand;
import io.zett.sandbox.backend.seatbelt.SeatbeltBackend;
import io.zett.sandbox.host.Host;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The engine behind the Seatbelt backend, with a program in place of {@code sandbox-exec} that
 * reads the same command line and isolates nothing: starting, watching, ending and cleaning up are
 * the engine's.
 */
class StandInLauncherTest {

  @TempDir Path temporary;
  private Path base;
  private Path launcher;

  @BeforeEach
  void launcher() throws IOException {
    base = temporary.toRealPath();
    launcher = base.resolve("sandbox-exec");
    try (InputStream resource = getClass().getResourceAsStream("sandbox-exec")) {
      Files.copy(Objects.requireNonNull(resource), launcher);
    }
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
  }

  private Engine open(@Nullable Path workspace, UnaryOperator<SandboxPolicy.Builder> options) {
    SandboxPolicy policy =
        options.apply(SandboxPolicy.builder().timeout(Duration.ofSeconds(50))).build();
    return Engine.open(policy, workspace, this::choice);
  }

  private BackendChoice choice() {
    List<byte[]> starter = new ArrayList<>();
    starter.add(InitCommand.path().bytes());
    starter.addAll(InitCommand.arguments("reaper"));
    Posix posix = Posix.system();
    Host host = Host.inspect(posix, UnixPath.of(base));
    return new BackendChoice(
        new SeatbeltBackend(UnixPath.of(launcher), starter), true, posix, host);
  }

  private static SandboxResult run(Engine engine, String text) {
    return engine.run(SandboxCommand.shell(text));
  }

  @Test
  void outputStatusAndSignalAreTold() {
    try (Closing open = closing(open(null, policy -> policy))) {
      SandboxResult exited = run(open.engine, "echo out; echo err >&2; exit 3");
      assertThat(exited.outcome()).isEqualTo(new Outcome.Exited(3));
      assertThat(exited.stdout() + exited.stderr()).isEqualTo("out\nerr\n");
      assertThat(run(open.engine, "kill -SEGV $$").exitCode()).isEqualTo(139);
      SandboxResult missing = open.engine.run(SandboxCommand.of("./no-such-program"));
      assertThat(missing.exitCode()).isEqualTo(127);
      assertThat(open.engine.report().backend()).isEqualTo(SandboxBackend.SEATBELT);
      assertThat(open.engine.report().isolated()).isTrue();
    }
  }

  @Test
  void argumentsInputAndDirectoryArriveAsTheyAre() throws IOException {
    Path workspace = Files.createDirectories(base.resolve("a\") (allow default) \n;'$x/W"));
    try (Closing open = closing(open(workspace, policy -> policy))) {
      SandboxCommand words = SandboxCommand.of("printf", "%s|", "a b", "", "-D", "'\"\n\\", "--");
      assertThat(open.engine.run(words).stdout()).isEqualTo("a b||-D|'\"\n\\|--|");
      assertThat(open.engine.run(SandboxCommand.of("cat").input("given")).stdout())
          .isEqualTo("given");
      assertThat(run(open.engine, "pwd; echo made > file").stdout()).isEqualTo(workspace + "\n");
      assertThat(workspace.resolve("file")).hasContent("made");
    }
  }

  @Test
  void aLongProfileIsReadFromADescriptor() throws IOException {
    Path workspace = Files.createDirectory(base.resolve("W"));
    try (Closing open =
        closing(
            open(
                workspace,
                policy -> {
                  for (int i = 0; i < 300; i++) {
                    policy.denyRead(workspace.resolve("secret" + i));
                  }
                  return policy;
                }))) {
      assertThat(run(open.engine, "ls -A; ls /proc/self/fd | wc -l").stdout()).isEqualTo("4\n");
    }
  }

  @Test
  void aTimeoutEndsWhatHasDetached() throws IOException {
    try (Closing open = closing(open(null, policy -> policy))) {
      Path pid = open.engine.workspace().resolve("pid");
      SandboxResult result =
          open.engine.run(
              SandboxCommand.shell("setsid sh -c 'echo $$ > pid; exec sleep 100' & sleep 100")
                  .timeout(Duration.ofSeconds(2)));

      assertThat(result.timedOut()).isTrue();
      long detached = Long.parseLong(Files.readString(pid).strip());
      assertThat(ProcessHandle.of(detached).filter(ProcessHandle::isAlive)).isEmpty();
    }
  }

  @Test
  void whatACommandLeavesBehindEndsWithIt() throws IOException {
    try (Closing open = closing(open(null, policy -> policy))) {
      run(open.engine, "(setsid sleep 100 & echo $! > pid) >/dev/null 2>&1");
      long left = Long.parseLong(Files.readString(open.engine.workspace().resolve("pid")).strip());
      assertThat(ProcessHandle.of(left).filter(ProcessHandle::isAlive)).isEmpty();
    }
  }

  @Test
  void closingEndsWhatRunsAndLeavesNothing() throws Exception {
    Engine engine = open(null, policy -> policy.home(HomeMode.PRIVATE));
    Path session = engine.workspace().getParent();
    CompletableFuture<SandboxResult> running =
        engine.runAsync(SandboxCommand.shell("touch $TMPDIR/f ~/f; echo > started; sleep 100"));
    Path started = engine.workspace().resolve("started");
    while (!Files.exists(started) && !running.isDone()) {
      Thread.onSpinWait();
    }
    engine.close();

    assertThat(running).isDone();
    assertThat(session).doesNotExist();
  }

  @Test
  void temporaryDirectoryAndPrivateHomeAreTheSessions() {
    try (Closing open = closing(open(null, policy -> policy.home(HomeMode.PRIVATE)))) {
      Path session = open.engine.workspace().getParent();
      SandboxResult result =
          run(open.engine, "echo $TMPDIR; echo $HOME; touch $TMPDIR/f ~/f && ls $TMPDIR ~");

      assertThat(result.stdout()).startsWith(session + "/scratch\n" + session + "/home\n");
      assertThat(result.succeeded()).isTrue();
    }
    try (Closing open = closing(open(null, policy -> policy))) {
      Path session = open.engine.workspace().getParent();
      assertThat(run(open.engine, "echo $HOME $XDG_CACHE_HOME").stdout())
          .isEqualTo(base + " " + session + "/scratch/.cache\n");
    }
  }

  @Test
  void limitsOfProcessesHold() {
    try (Closing open =
        closing(open(null, policy -> policy.openFiles(40).maxFileSize("1MiB").cpuSeconds(1)))) {
      assertThat(run(open.engine, "ulimit -n").stdout()).isEqualTo("40\n");
      run(open.engine, "head -c 3M /dev/zero > big");
      assertThat(open.engine.workspace().resolve("big")).hasSize(1 << 20);
      assertThat(run(open.engine, "while :; do :; done").outcome())
          .isEqualTo(new Outcome.LimitExceeded(Limit.CPU_SECONDS));
    }
  }

  @Test
  void outputIsCutAtItsBoundAndCounted() {
    try (Closing open = closing(open(null, policy -> policy))) {
      SandboxResult result =
          open.engine.run(SandboxCommand.shell("yes | head -c 3000000").maxOutputBytes(1000));

      assertThat(result.stdoutBytes()).hasSize(1000);
      assertThat(result.stdoutTruncated()).isTrue();
      assertThat(result.stdoutTotalBytes()).isEqualTo(3_000_000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "setsid sh -c '%s' & wait", "(setsid sh -c '%s' &); sleep 100"})
  void aWatchdogSeesWhatTheWholeTreeHolds(String way) {
    // tail(1) keeps all that may be the last line.
    String hold = "head -c 200M /dev/zero | tail | sleep 100";
    try (Closing open =
        closing(
            open(null, policy -> policy.memory("64MiB").memoryStrategy(MemoryStrategy.WATCHDOG)))) {
      SandboxResult result = run(open.engine, way.formatted(hold));

      assertThat(result.outcome()).isEqualTo(new Outcome.LimitExceeded(Limit.MEMORY));
      assertThat(result.usage().peakMemory()).isPresent();
      assertThat(run(open.engine, "echo small").stdout()).isEqualTo("small\n");
    }
  }

  @Test
  void tooManyProcessesAreRefusedOrEndTheCommand() {
    try (Closing open = closing(open(null, policy -> policy.processes(8)))) {
      String many = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 30 & done; wait";
      SandboxResult result = open.engine.run(SandboxCommand.shell(many));

      assertThat(result.limitsHit()).contains(Limit.PROCESSES);
      assertThat(run(open.engine, "sleep 0 & sleep 0 & wait; echo few").stdout())
          .isEqualTo("few\n");
    }
  }

  @Test
  void deniedPathsThatAreMissingPutNothingOnTheDisk() throws IOException {
    Path workspace = Files.createDirectory(base.resolve("W"));
    try (Closing open =
        closing(open(workspace, policy -> policy.denyRead(workspace.resolve(".env"))))) {
      assertThat(run(open.engine, "ls -A").stdout()).isEmpty();
    }
  }

  @Test
  void aLauncherThatRefusesIsAFailedSetUp() throws IOException {
    Files.writeString(
        launcher, "#!/bin/sh\necho 'sandbox-exec: unbound variable: x' >&2\nexit 65\n");
    try (Closing open = closing(open(null, policy -> policy))) {
      assertThatThrownBy(() -> run(open.engine, "true"))
          .isInstanceOf(SandboxSetupException.class)
          .hasMessageContaining("unbound variable: x");
    }
    Files.delete(launcher);
    try (Closing open = closing(open(null, policy -> policy))) {
      assertThatThrownBy(() -> run(open.engine, "true"))
          .isInstanceOf(SandboxSetupException.class)
          .hasMessageContaining(launcher.toString());
    }
  }

  private record Closing(Engine engine) implements AutoCloseable {
    @Override
    public void close() {
      engine.close();
    }
  }

  private static Closing closing(Engine engine) {
    return new Closing(engine);
  }
}
