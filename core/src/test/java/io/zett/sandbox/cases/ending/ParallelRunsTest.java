package io.zett.sandbox.cases.ending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Sandboxed;
import io.zett.sandbox.cases.outside.Sleepers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** H11: commands of one session do not meet. */
class ParallelRunsTest {
  private final Sleepers sleepers = new Sleepers();

  @Test
  void theEndOfOneCommandLeavesTheOthersAlone() throws Exception {
    try (SandboxSession session = Sandboxed.session()) {
      CompletableFuture<SandboxResult> slow = session.runAsync("sleep 1; echo A");
      CompletableFuture<SandboxResult> late =
          session.runAsync(Sandboxed.shell(sleepers.sleep(), Duration.ofMillis(300)));
      CompletableFuture<SandboxResult> loud =
          session.runAsync(
              SandboxCommand.shell("head -c 9000000 /dev/zero | tr '\\0' c")
                  .maxOutputBytes(10_000_000));
      CompletableFuture<SandboxResult> canceled = session.runAsync(sleepers.sleep());
      CompletableFuture<SandboxResult> killed = session.runAsync("echo K; kill -9 $$");
      assertThat(late.get().outcome()).isEqualTo(new Outcome.TimedOut(Duration.ofMillis(300)));
      canceled.cancel(true);
      assertThat(killed.get().outcome()).isEqualTo(new Outcome.Signaled(9));
      assertThat(killed.get().stdout()).isEqualTo("K\n");
      assertThat(slow.get().stdout()).isEqualTo("A\n");
      assertThat(slow.get().exitCode()).isZero();
      assertThat(loud.get().stdout()).hasSize(9_000_000).containsOnlyOnce("c".repeat(9_000_000));
      sleepers.assertNoneSoon();
    }
  }

  @Test
  void outputsAreNeverMixed() throws Exception {
    try (SandboxSession session = Sandboxed.session()) {
      List<CompletableFuture<SandboxResult>> futures = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        String me = "command-" + i;
        futures.add(
            session.runAsync(
                "i=0; while [ $i -lt 300 ]; do echo "
                    + me
                    + "; echo err-"
                    + me
                    + " >&2; i=$((i+1)); done; cat; exit "
                    + i));
      }
      for (int i = 0; i < 32; i++) {
        SandboxResult result = futures.get(i).get();
        assertThat(result.stdout()).isEqualTo(("command-" + i + "\n").repeat(300));
        assertThat(result.stderr()).isEqualTo(("err-command-" + i + "\n").repeat(300));
        assertThat(result.exitCode()).isEqualTo(i);
      }
    }
  }

  @Test
  void commandsDoNotReachEachOthersProcessesOrTemporaryFiles() {
    try (SandboxSession session = Sandboxed.session()) {
      CompletableFuture<SandboxResult> other =
          session.runAsync("echo x >/tmp/mine; echo >ready; " + sleepers.sleep());
      SandboxResult result =
          session.run(
              "while [ ! -e ready ]; do sleep 0.01; done; test ! -e /tmp/mine && echo own tmp;"
                  + " ls -d /proc/[0-9]* | wc -l; kill -9 -1");
      assertThat(result.stdout().strip()).matches("own tmp\\s+[1-9]");
      assertThat(sleepers.alive()).isNotEmpty();
      assertThat(other).isNotDone();
      other.cancel(true);
    }
    sleepers.assertNone();
  }

  @Test
  void atMostSoManyRunAtOnceAndTheRestComeInOrderAndTheirTimeDoesNotCountMeanwhile()
      throws Exception {
    try (SandboxSession session = SandboxSession.builder().maxConcurrent(2).open()) {
      // Whoever is third at a time sees two other markers.
      String text = "mkdir at/$0; ls at | wc -l; sleep 0.2; rmdir at/$0; echo $0 >>order";
      assertThat(session.run("mkdir at").succeeded()).isTrue();
      List<CompletableFuture<SandboxResult>> futures = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        futures.add(
            session.runAsync(
                SandboxCommand.of("sh", "-c", text, "c" + (10 + i))
                    .timeout(Duration.ofSeconds(20))));
      }
      // With 12 waiting commands before it, it could not end inside of this.
      Duration brief = Duration.ofMillis(1_000);
      CompletableFuture<SandboxResult> last =
          session.runAsync(SandboxCommand.of("true").timeout(brief));
      for (CompletableFuture<SandboxResult> future : futures) {
        assertThat(future.get().exitCode()).as(future.get().stderr()).isZero();
        assertThat(future.get().stdout().strip()).isIn("1", "2");
      }
      assertThat(last.get().outcome()).isEqualTo(new Outcome.Exited(0));
      List<String> order = session.run("cat order").stdout().lines().toList();
      assertThat(order).hasSize(12);
      for (int i = 0; i < 12; i++) {
        // Two at once may change places, and no others.
        assertThat(order.indexOf("c" + (10 + i))).isBetween(i - 2, i + 2);
      }
    }
  }

  @Test
  void oneAtATimeKeepsTheOrderOfTheCalls() throws Exception {
    try (SandboxSession session = SandboxSession.builder().maxConcurrent(1).open()) {
      List<CompletableFuture<SandboxResult>> futures =
          IntStream.range(0, 20).mapToObj(i -> session.runAsync("echo " + i + " >>order")).toList();
      CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).get();
      assertThat(session.run("cat order").stdout().lines().map(Integer::parseInt))
          .containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
    }
  }

  @Test
  void aCancelledWaitingCommandGivesItsTurnAway() throws Exception {
    try (SandboxSession session = SandboxSession.builder().maxConcurrent(1).open()) {
      CompletableFuture<SandboxResult> first = session.runAsync(sleepers.sleep());
      sleepers.awaitFirst();
      CompletableFuture<SandboxResult> second = session.runAsync("echo >second");
      CompletableFuture<SandboxResult> third = session.runAsync("echo third");
      second.cancel(true);
      first.cancel(true);
      assertThat(third.get(60, TimeUnit.SECONDS).stdout()).isEqualTo("third\n");
      assertThat(session.workspace().resolve("second")).doesNotExist();
    }
    sleepers.assertNone();
  }

  @Test
  void aThousandCommandsOfWhichMostWaitAllEnd() throws Exception {
    try (SandboxSession session = SandboxSession.builder().maxConcurrent(4).open()) {
      List<CompletableFuture<SandboxResult>> futures = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        futures.add(session.runAsync(List.of("true")));
      }
      for (int i = 0; i < 1000; i++) {
        if (i % 10 != 0) {
          futures.get(i).cancel(true);
        }
      }
      for (int i = 0; i < 1000; i += 10) {
        assertThat(futures.get(i).get().succeeded()).isTrue();
      }
      assertThat(session.run("echo again").stdout()).isEqualTo("again\n");
    }
  }

  @Test
  void sixtyFourVirtualThreadsRunCommandsAtOnce() throws Exception {
    try (SandboxSession session = Sandboxed.session();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> outputs = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        String word = "word" + i;
        outputs.add(threads.submit(() -> session.run(List.of("echo", word)).stdout()));
      }
      for (int i = 0; i < 64; i++) {
        assertThat(outputs.get(i).get()).isEqualTo("word" + i + "\n");
      }
    }
  }

  @Test
  void aStageMayRunCommandsAndSoMayTheStagesOfThose() throws Exception {
    try (SandboxSession session = SandboxSession.builder().maxConcurrent(1).open()) {
      CompletableFuture<String> all =
          session
              .runAsync("echo 1")
              .thenApply(r -> r.stdout() + session.run("echo 2").stdout())
              .thenCombine(
                  session.runAsync("echo 3").thenApply(r -> session.run("cat").stdout()),
                  String::concat)
              .thenCompose(s -> session.runAsync("echo 4").thenApply(r -> s + r.stdout()))
              .thenApply(s -> s + session.runAsync("echo 5").join().stdout());
      assertThat(all.get(60, TimeUnit.SECONDS)).isEqualTo("1\n2\n4\n5\n");
    }
  }

  @Test
  void callbacksThatBlockHoldUpNobody() throws Exception {
    try (SandboxSession session = Sandboxed.session()) {
      CompletableFuture<Void> gate = new CompletableFuture<>();
      List<CompletableFuture<Void>> blocked = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        blocked.add(session.runAsync(List.of("true")).thenRun(gate::join));
      }
      for (int i = 0; i < 10; i++) {
        assertThat(session.run("echo on").stdout()).isEqualTo("on\n");
        assertThat(session.runAsync("echo on").get(60, TimeUnit.SECONDS).succeeded()).isTrue();
      }
      gate.complete(null);
      CompletableFuture.allOf(blocked.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void callbacksNeverRunOnAThreadOfTheEngine() throws Exception {
    ConcurrentLinkedQueue<String> names = new ConcurrentLinkedQueue<>();
    try (SandboxSession session = Sandboxed.session()) {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        all.add(
            session
                .runAsync(Sandboxed.shell("sleep 0.0" + i % 5, Duration.ofMillis(20)))
                .handle((_, _) -> Thread.currentThread())
                .thenAccept(thread -> names.add(thread.getName() + " " + thread.isDaemon())));
      }
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
    }
    assertThat(names).hasSize(20).noneMatch(name -> name.contains("loop"));
    assertThat(names).allMatch(name -> name.endsWith("true") || name.startsWith("main"));
  }

  @Test
  void aCallbackThatThrowsHurtsNobody() throws Exception {
    try (SandboxSession session = Sandboxed.session()) {
      CompletableFuture<Void> failing =
          session
              .runAsync("echo")
              .thenRun(
                  () -> {
                    throw new IllegalStateException("mine");
                  });
      assertThatThrownBy(failing::get).hasRootCauseMessage("mine");
      assertThat(session.run("echo on").stdout()).isEqualTo("on\n");
    }
  }

  @Test
  void anErrorOfOneCommandIsNotTheOthers() {
    try (SandboxSession session = Sandboxed.session()) {
      CompletableFuture<SandboxResult> good = session.runAsync("sleep 0.3; echo good");
      assertThatThrownBy(
              () -> session.runAsync(SandboxCommand.of("true").cwd(Path.of("missing"))).join())
          .isNotInstanceOf(SandboxCanceledException.class);
      assertThat(good.join().stdout()).isEqualTo("good\n");
    }
  }
}
