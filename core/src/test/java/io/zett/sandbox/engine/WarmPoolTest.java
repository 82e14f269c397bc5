package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.cases.outside.Eventually;
import io.zett.sandbox.cases.outside.Possessions;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sandboxes that are kept started ahead. */
class WarmPoolTest {

  @TempDir private Path temp;

  private static Engine open(SandboxPolicy.Builder policy, Path workspace) {
    return Engine.open(policy.build(), workspace);
  }

  private static void awaitWarm(Engine engine, int count) {
    Eventually.within(
        Duration.ofSeconds(30), count + " sandboxes wait", () -> engine.warm().count() == count);
  }

  private static String run(Engine engine, String shell) {
    return engine.run(SandboxCommand.shell(shell)).check().stdout().strip();
  }

  @Test
  void eachServesOneCommandAndIsReplaced() {
    try (Closing closing = new Closing(open(SandboxPolicy.builder().warm(2), null))) {
      Engine engine = closing.engine;
      for (int round = 0; round < 3; round++) {
        awaitWarm(engine, 2);
        assertThat(run(engine, "test -e /tmp/left || echo new; touch /tmp/left")).isEqualTo("new");
      }
    }
  }

  @Test
  void anUnchangedWorldIsServedFromTheOnesThatWait() {
    try (Closing closing = new Closing(open(SandboxPolicy.builder().warm(1), null))) {
      Engine engine = closing.engine;
      awaitWarm(engine, 1);
      SandboxResult first = engine.run(SandboxCommand.of("true"));
      assertThat(engine.warm().taken()).isEqualTo(1);
      assertThat(first.succeeded()).isTrue();
      awaitWarm(engine, 1);
      assertThat(run(engine, "echo in the workspace > f; cat f")).isEqualTo("in the workspace");
      assertThat(engine.warm().taken()).isEqualTo(2);
    }
  }

  @Test
  void inputsOutputsDirectoriesAndTimeAreTheCommandsOwn() {
    try (Closing closing = new Closing(open(SandboxPolicy.builder().warm(1), null))) {
      Engine engine = closing.engine;
      awaitWarm(engine, 1);
      SandboxResult merged =
          engine.run(SandboxCommand.shell("cat; echo e >&2").input("i\n").mergeStderr());
      assertThat(merged.stdout()).isEqualTo("i\ne\n");
      awaitWarm(engine, 1);
      assertThat(run(engine, "cat; echo $?; readlink /proc/self/fd/0")).isEqualTo("0\n/dev/null");
      awaitWarm(engine, 1);
      SandboxResult late =
          engine.run(SandboxCommand.shell("sleep 60").timeout(Duration.ofMillis(200)));
      assertThat(late.outcome()).isInstanceOf(Outcome.TimedOut.class);
      awaitWarm(engine, 1);
      SandboxCommand elsewhere =
          SandboxCommand.shell("pwd; echo $V").cwd(Path.of("/usr")).env("V", "v");
      assertThat(engine.run(elsewhere).stdout()).isEqualTo("/usr\nv\n");
      assertThat(engine.warm().taken()).isEqualTo(4);
    }
  }

  @Test
  void aDeniedPathThatAppearedIsDeniedToTheNextCommand() throws Exception {
    Path workspace = Files.createDirectory(temp.toRealPath().resolve("w"));
    Path link = workspace.resolve("link");
    Files.createSymbolicLink(link, Path.of("one"));
    SandboxPolicy.Builder policy = SandboxPolicy.builder().denyRead(link).warm(2);
    try (Closing closing = new Closing(open(policy, workspace))) {
      Engine engine = closing.engine;
      awaitWarm(engine, 2);
      Files.writeString(workspace.resolve("two"), "SECRET");
      Files.delete(link);
      Files.createSymbolicLink(link, Path.of("two"));
      assertThat(run(engine, "cat two 2>&1 || true")).doesNotContain("SECRET");
      assertThat(engine.warm().taken()).isZero();
    }
  }

  @Test
  void aSocketThatCameMeansANewSandbox() throws Exception {
    try (Closing closing = new Closing(open(SandboxPolicy.builder().warm(1), null));
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      Engine engine = closing.engine;
      awaitWarm(engine, 1);
      server.bind(UnixDomainSocketAddress.of(temp.toRealPath().resolve("s")));
      assertThat(run(engine, "echo ran")).isEqualTo("ran");
      assertThat(engine.warm().taken()).isZero();
    }
  }

  @Test
  void oneThatDiedIsReplacedAndNotUsed() {
    try (Closing closing = new Closing(open(SandboxPolicy.builder().warm(1), null))) {
      Engine engine = closing.engine;
      awaitWarm(engine, 1);
      // The waiting sandbox is all that this JVM has for a child.
      List<ProcessHandle> sandbox = ProcessHandle.current().descendants().toList();
      assertThat(sandbox).isNotEmpty();
      sandbox.forEach(ProcessHandle::destroyForcibly);
      sandbox.forEach(process -> process.onExit().join());
      assertThat(run(engine, "echo ran")).isEqualTo("ran");
      awaitWarm(engine, 1);
      assertThat(run(engine, "echo ran")).isEqualTo("ran");
    }
  }

  @Test
  void manyCallersGetOneEachAndNothingIsLeft() {
    Possessions before = Possessions.now();
    try (Closing closing =
        new Closing(open(SandboxPolicy.builder().warm(4).memory(64 << 20), null))) {
      Engine engine = closing.engine;
      List<CompletableFuture<SandboxResult>> all = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        all.add(engine.runAsync(SandboxCommand.of("echo", Integer.toString(i))));
      }
      for (int i = 0; i < 40; i++) {
        assertThat(all.get(i).join().stdout()).isEqualTo(i + "\n");
      }
    }
    before.assertRegained();
  }

  @Test
  void closingWhileTheyAreMadeLeavesNothing() {
    Possessions before = Possessions.now();
    for (int i = 0; i < 10; i++) {
      open(SandboxPolicy.builder().warm(3), null).close();
    }
    before.assertRegained();
  }

  /** Closes an engine. */
  private record Closing(Engine engine) implements AutoCloseable {
    @Override
    public void close() {
      engine.close();
    }
  }
}
