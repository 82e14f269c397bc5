package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.Limit;
import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.portable.PosixTools;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** K07 and H01 to H09 as far as they go where the JDK starts the commands of a Unix. */
@Timeout(120)
class PortableGroundTest {
  private static final Map<String, String> HOST =
      Map.of("PATH", "/usr/bin:/bin", "HOME", "/", "GITHUB_TOKEN", "host-secret");

  @TempDir Path temporary;
  private @Nullable Engine engine;

  private Engine open(UnaryOperator<SandboxPolicy.Builder> options) {
    return open(PosixTools.find(), options);
  }

  private Engine open(PosixTools tools, UnaryOperator<SandboxPolicy.Builder> options) {
    SandboxPolicy policy =
        options.apply(SandboxPolicy.builder().timeout(Duration.ofSeconds(60))).build();
    Engine opened =
        Engine.openOn(
            null,
            () ->
                new PortableGrounds(Platform.OTHER, HOST, tools, Path.of("/none"))
                    .open(policy, null));
    engine = opened;
    return opened;
  }

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
    }
  }

  private static SandboxResult run(Engine engine, String text) {
    return engine.run(SandboxCommand.shell(text));
  }

  private static boolean isAlive(Engine engine, String file) throws IOException {
    long pid = Long.parseLong(Files.readString(engine.workspace().resolve(file)).strip());
    // One that is dead, but that its new parent has not collected yet, has no program.
    return ProcessHandle.of(pid).flatMap(process -> process.info().command()).isPresent();
  }

  @Test
  void outputStatusAndDirectoryAreTold() {
    Engine open = open(policy -> policy);
    SandboxResult exited = run(open, "echo out; echo err >&2; pwd; exit 3");
    assertThat(exited.outcome()).isEqualTo(new Outcome.Exited(3));
    assertThat(exited.stdout()).isEqualTo("out\n" + open.workspace() + "\n");
    assertThat(exited.stderr()).isEqualTo("err\n");
    assertThat(open.run(SandboxCommand.of("./no-such-program")).exitCode()).isEqualTo(127);
    assertThat(open.run(SandboxCommand.of("/etc/passwd")).exitCode()).isEqualTo(126);
    assertThat(run(open, "kill -SEGV $$").exitCode()).isEqualTo(139);
    assertThat(open.run(SandboxCommand.shell("echo a; echo b >&2").mergeStderr()).stdout())
        .isEqualTo("a\nb\n");
    assertThatThrownBy(() -> open.run(SandboxCommand.of("true").cwd(Path.of("missing"))))
        .isInstanceOf(SandboxSetupException.class)
        .hasMessageContaining("missing");
  }

  @Test
  void argumentsAndInputArriveAsTheyAre() throws IOException {
    Engine open = open(policy -> policy);
    SandboxCommand words = SandboxCommand.of("printf", "%s|", "a b", "", "-D", "'\"\n\\", "--");
    assertThat(open.run(words).stdout()).isEqualTo("a b||-D|'\"\n\\|--|");
    assertThat(open.run(SandboxCommand.of("cat").input("given")).stdout()).isEqualTo("given");
    Path file = Files.writeString(temporary.resolve("file"), "from a file");
    assertThat(open.run(SandboxCommand.of("cat").input(file)).stdout()).isEqualTo("from a file");
    assertThat(open.run(SandboxCommand.of("cat")).stdout()).isEmpty();
    assertThatThrownBy(() -> open.run(SandboxCommand.of("cat").input(temporary.resolve("missing"))))
        .isInstanceOf(SandboxSetupException.class)
        .hasMessageContaining("input");
    // Nobody reads it: the command ends all the same.
    assertThat(open.run(SandboxCommand.of("true").input(new byte[1 << 20])).succeeded()).isTrue();
  }

  @Test
  void variablesAreThoseThatTheAllowListLetsThrough() {
    Engine open = open(policy -> policy.env("SET", "by the session").home(HomeMode.PRIVATE));
    String session = String.valueOf(open.workspace().getParent());
    String told = open.run(SandboxCommand.of("env").env("OWN", "by the command")).stdout();
    assertThat(told.lines())
        .contains("SET=by the session", "OWN=by the command", "PATH=/usr/bin:/bin")
        .contains("TMPDIR=" + session + "/scratch", "HOME=" + session + "/home")
        .noneMatch(line -> line.contains("host-secret"));
  }

  @Test
  void outputIsCutAtItsBoundAndCounted() {
    SandboxResult result =
        open(policy -> policy)
            .run(SandboxCommand.shell("yes | head -c 3000000").maxOutputBytes(1000));
    assertThat(result.stdoutBytes()).hasSize(1000);
    assertThat(result.stdoutTruncated()).isTrue();
    assertThat(result.stdoutTotalBytes()).isEqualTo(3_000_000);
  }

  @Test
  void aTimeoutEndsTheTreeAndKeepsWhatWasWritten() throws IOException {
    Engine open = open(policy -> policy);
    SandboxResult result =
        open.run(
            SandboxCommand.shell("echo early; sh -c 'echo $$ > pid; exec sleep 100' & sleep 100")
                .timeout(Duration.ofSeconds(2)));
    assertThat(result.outcome()).isEqualTo(new Outcome.TimedOut(Duration.ofSeconds(2)));
    assertThat(result.stdout()).isEqualTo("early\n");
    assertThat(isAlive(open, "pid")).isFalse();
  }

  /** What leads the process group: each system has another program for it. */
  @ParameterizedTest
  @ValueSource(strings = {"/usr/bin/setsid", "/usr/bin/perl"})
  void whatACommandLeavesInItsGroupEndsWithIt(String leader) throws IOException {
    assumeTrue(Files.isExecutable(Path.of(leader)), leader + " is not installed");
    PosixTools tools = new PosixTools(PosixTools.leading(leader), PosixTools.find().table());
    Engine open = open(tools, policy -> policy);
    SandboxResult left = run(open, "(sleep 100 & echo $! > pid) >/dev/null 2>&1");
    assertThat(left.succeeded()).isTrue();
    assertThat(isAlive(open, "pid")).isFalse();
    assertThat(run(open, "sleep 100 & echo held $!").succeeded()).isTrue();
  }

  @Test
  void whatHasDetachedWhileItWasWatchedEndsToo() throws Exception {
    Engine open = open(policy -> policy);
    CompletableFuture<SandboxResult> running =
        open.runAsync(
            SandboxCommand.shell(
                "setsid sh -c 'echo $$ > pid; exec sleep 100' & while [ ! -e go ]; do sleep .1; done"));
    Path pid = open.workspace().resolve("pid");
    while (!Files.exists(pid) && !running.isDone()) {
      Thread.onSpinWait();
    }
    Files.createFile(open.workspace().resolve("go"));
    assertThat(running.get().succeeded()).isTrue();
    assertThat(isAlive(open, "pid")).isFalse();
  }

  @Test
  void streamsAreReadAndWrittenWhileItRuns() throws Exception {
    Engine open = open(policy -> policy);
    LiveCommand live = open.start(SandboxCommand.of("cat"));
    try (OutputStream stdin = live.stdin().orElseThrow();
        InputStream stdout = live.stdout()) {
      stdin.write("hello".getBytes(StandardCharsets.UTF_8));
      stdin.flush();
      assertThat(stdout.readNBytes(5)).asString(StandardCharsets.UTF_8).isEqualTo("hello");
      assertThat(live.isAlive()).isTrue();
      stdin.close();
      assertThat(live.exit().get().succeeded()).isTrue();
      assertThat(stdout.read()).isEqualTo(-1);
    }
    LiveCommand trapped =
        open.start(SandboxCommand.shell("trap 'exit 5' INT; echo r; sleep 100 & wait"));
    assertThat(trapped.stdout().read()).isEqualTo('r');
    trapped.signal(2);
    assertThat(trapped.exit().get().exitCode()).isEqualTo(5);
    LiveCommand killed = open.start(SandboxCommand.of("sleep", "100"));
    killed.kill();
    assertThat(killed.exit().get().exitCode()).isEqualTo(137);
  }

  @Test
  void cancellingEndsIt() {
    Engine open = open(policy -> policy);
    CompletableFuture<SandboxResult> running = open.runAsync(SandboxCommand.of("sleep", "100"));
    running.cancel(true);
    open.close();
    assertThat(open.workspace()).doesNotExist();
  }

  @Test
  void closingEndsWhatRunsAndLeavesNothing() throws Exception {
    Engine open = open(policy -> policy);
    Path session = open.workspace().getParent();
    CompletableFuture<SandboxResult> running =
        open.runAsync(
            SandboxCommand.shell(
                "mkdir -p a/b; touch a/b/f $TMPDIR/f; chmod 0 a; echo $$ > pid; sleep 100"));
    Path pid = open.workspace().resolve("pid");
    while (!Files.exists(pid) && !running.isDone()) {
      Thread.onSpinWait();
    }
    open.close();
    assertThat(running).isCancelled();
    assertThat(session).doesNotExist();
  }

  @Test
  void limitsOfProcessesHold() {
    Engine open = open(policy -> policy.openFiles(40).maxFileSize("1MiB"));
    assertThat(run(open, "ulimit -n").stdout()).isEqualTo("40\n");
    run(open, "head -c 3M /dev/zero > big");
    assertThat(open.workspace().resolve("big")).hasSize(1 << 20);
    assertThat(open.report().enforcement(Limit.FILE_SIZE).mechanism()).isEqualTo("RLIMIT_FSIZE");
  }

  @Test
  void processorTimeIsCountedForTheTree() {
    Engine open = open(policy -> policy.cpuSeconds(1));
    assertThat(run(open, "while :; do :; done & while :; do :; done").outcome())
        .isEqualTo(new Outcome.LimitExceeded(Limit.CPU_SECONDS));
  }

  @Test
  void memoryIsCountedForTheTree() {
    Engine open = open(policy -> policy.memory("64MiB"));
    // tail(1) keeps all that may be the last line.
    SandboxResult result = run(open, "head -c 200M /dev/zero | tail | sleep 100");
    assertThat(result.outcome()).isEqualTo(new Outcome.LimitExceeded(Limit.MEMORY));
    assertThat(result.usage().peakMemory()).isPresent();
    assertThat(run(open, "echo small").stdout()).isEqualTo("small\n");
  }

  @Test
  void tooManyProcessesEndTheCommand() {
    Engine open = open(policy -> policy.processes(8));
    String many = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 100 & done; wait";
    assertThat(run(open, many).outcome()).isEqualTo(new Outcome.LimitExceeded(Limit.PROCESSES));
  }

  @Test
  void whatCannotBeHadIsRefusedOrReported() {
    assertThatThrownBy(() -> open(policy -> policy.requireIsolation(true)))
        .isInstanceOf(SandboxUnavailableException.class);
    assertThatThrownBy(() -> open(policy -> policy.memoryStrategy(MemoryStrategy.CGROUP)))
        .isInstanceOf(SandboxUnavailableException.class)
        .hasMessageContaining("memoryStrategy");
    Engine open = open(policy -> policy.cpus(1).denyRead(temporary));
    assertThat(open.report().backend()).isEqualTo(SandboxBackend.PASSTHROUGH);
    assertThat(open.report().isolated()).isFalse();
    assertThat(open.explain(List.of(temporary)).getFirst().because())
        .contains("nothing is isolated");
    assertThatThrownBy(() -> open.run(SandboxCommand.of("true").terminal(24, 80)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("terminal");
  }

  @Test
  void interruptionEndsTheCommandAndKeepsTheFlag() {
    Engine open = open(policy -> policy);
    Thread caller = Thread.currentThread();
    CompletableFuture<Void> interrupting =
        CompletableFuture.runAsync(
            () -> {
              while (!Files.exists(open.workspace().resolve("started"))) {
                Thread.onSpinWait();
              }
              caller.interrupt();
            });
    assertThatThrownBy(() -> run(open, "echo > started; sleep 100"))
        .isInstanceOf(SandboxCanceledException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(interrupting).succeedsWithin(Duration.ofSeconds(60));
  }

  @Test
  void manyCommandsRunSideBySide() {
    Engine open = open(policy -> policy);
    List<CompletableFuture<SandboxResult>> all =
        java.util.stream.IntStream.range(0, 8)
            .mapToObj(i -> open.runAsync(SandboxCommand.shell("echo " + i)))
            .toList();
    for (int i = 0; i < all.size(); i++) {
      try {
        assertThat(all.get(i).join().stdout()).isEqualTo(i + "\n");
      } catch (CompletionException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void theFilesOfTheWorkspaceAreTheHosts() throws IOException {
    Engine open = open(policy -> policy);
    WorkspaceFiles files = open.files();
    files.write("d/file", "x".getBytes(StandardCharsets.UTF_8));
    assertThat(run(open, "cat d/file; ln -s /etc link; ln -s /etc/passwd d/passwd").stdout())
        .isEqualTo("x");
    assertThat(files.read("d/file", 1)).asString(StandardCharsets.UTF_8).isEqualTo("x");
    for (String link : List.of("link/passwd", "d/passwd")) {
      assertThatThrownBy(() -> files.read(link, 100)).hasMessageContaining("symbolic link");
    }
    assertThatThrownBy(() -> files.read("d/file", 0)).hasMessageContaining("bound of 0 bytes");
    assertThatThrownBy(() -> files.read("../x", 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> files.read("none", 1)).hasMessageContaining("does not exist");
    assertThat(files.list("d", 10).entries()).hasSize(2);
    files.copyOut("d/file", temporary.resolve("out"), 10);
    assertThat(temporary.resolve("out")).hasContent("x");
    files.copyIn(temporary.resolve("out"), "link");
    assertThat(Files.isSymbolicLink(open.workspace().resolve("link"))).isFalse();
    files.delete("link");
    assertThat(files.exists("link")).isFalse();
  }
}
