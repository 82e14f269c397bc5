package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.Limit;
import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.PathExplanation;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.portable.PosixTools;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
 * What runs on macOS, with a program in place of {@code sandbox-exec} that reads the same command
 * line and isolates nothing: looking at the disk, starting, watching, ending and cleaning up are
 * what a Mac would do.
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
    Map<String, String> host = Map.of("PATH", "/usr/bin:/bin", "HOME", base.toString());
    PortableGrounds grounds =
        new PortableGrounds(Platform.MACOS, host, PosixTools.find(), launcher);
    return Engine.openOn(workspace, () -> grounds.open(policy, workspace));
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

  /** perl and the shell that start a command have its variables, and are not confined yet. */
  @ParameterizedTest
  @ValueSource(strings = {"PERL5OPT", "PERL5LIB", "PERLLIB", "BASH_ENV", "BASH_FUNC_ulimit%%"})
  void variablesThatItsStarterWouldObeyAreRefused(String name) throws IOException {
    try (Closing open = closing(open(null, policy -> policy))) {
      assertThatThrownBy(() -> open.engine.run(SandboxCommand.of("true").env(name, "x")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(name)
          .hasMessageContaining("before it is confined");
    }
  }

  @Test
  void aLongProfileIsReadFromAFile() throws IOException {
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
      assertThat(run(open.engine, "ls -A; echo ran").stdout()).isEqualTo("ran\n");
      assertThat(run(open.engine, "echo again").stdout()).isEqualTo("again\n");
    }
  }

  /** One that is dead, but that its new parent has not collected yet, has no program. */
  private static void assertDead(long pid) {
    assertThat(ProcessHandle.of(pid).flatMap(process -> process.info().command())).isEmpty();
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
      assertDead(detached);
    }
  }

  @Test
  void whatACommandLeavesBehindEndsWithIt() throws IOException {
    try (Closing open = closing(open(null, policy -> policy))) {
      run(open.engine, "(sleep 100 & echo $! > pid) >/dev/null 2>&1");
      long left = Long.parseLong(Files.readString(open.engine.workspace().resolve("pid")).strip());
      assertDead(left);
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
  @ValueSource(strings = {"%s", "setsid sh -c '%s' & wait", "setsid sh -c '%s' & sleep 100"})
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
  void aLauncherThatRefusesIsToldWhenTheSandboxOpens() throws IOException {
    String refusal = "#!/bin/sh\necho 'sandbox-exec: unbound variable: x' >&2\nexit 65\n";
    try (Closing open = closing(open(null, policy -> policy))) {
      Files.writeString(launcher, refusal);
      assertThatThrownBy(() -> run(open.engine, "echo > ran"))
          .isInstanceOf(SandboxSetupException.class)
          .hasMessageContaining("unbound variable: x");
      assertThat(open.engine.workspace().resolve("ran")).doesNotExist();
    }
    assertThatThrownBy(() -> open(null, policy -> policy))
        .isInstanceOf(SandboxUnavailableException.class)
        .hasMessageContaining("unbound variable: x");
    Files.delete(launcher);
    assertThatThrownBy(() -> open(null, policy -> policy))
        .isInstanceOf(SandboxUnavailableException.class)
        .hasMessageContaining(launcher.toString());
    assertThat(base).isEmptyDirectory();
  }

  @Test
  void whatItShowsIsToldFromTheDiskAsAJdkSeesIt() throws IOException {
    Path workspace = Files.createDirectory(base.resolve("W"));
    Path secret = Files.createDirectory(base.resolve("secret"));
    Files.createSymbolicLink(workspace.resolve("link"), Path.of("../secret"));
    Files.createDirectory(base.resolve(".ssh"));
    try (Closing open =
        closing(open(workspace, policy -> policy.denyRead(workspace.resolve("link"))))) {
      assertThat(
              open.engine.explain(
                  List.of(workspace.resolve("f"), secret, base.resolve(".ssh"), Path.of("/etc"))))
          .extracting(PathExplanation::access)
          .containsExactly(
              PathExplanation.Access.WRITE,
              PathExplanation.Access.HIDDEN,
              PathExplanation.Access.HIDDEN,
              PathExplanation.Access.READ);
    }
    assertThatThrownBy(() -> open(workspace, policy -> policy.writable(base.resolve("none"))))
        .isInstanceOf(IllegalArgumentException.class);
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
