package io.zett.sandbox.cases.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxProcess;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands that are talked to while they run. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StreamingTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  private static SandboxSession session;

  @BeforeAll
  static void open() {
    session = SandboxSession.builder().timeout(Duration.ofMillis(500)).open();
  }

  @AfterAll
  static void close() {
    session.close();
  }

  private static BufferedReader reader(SandboxProcess process) {
    return new BufferedReader(new InputStreamReader(process.stdout(), UTF_8));
  }

  private static SandboxResult end(SandboxProcess process) {
    return process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
  }

  @Test
  void aPromptIsAnsweredLineByLine() throws Exception {
    SandboxCommand shell = SandboxCommand.shell("while read a; do echo \"<$a>\"; done; echo bye");
    try (SandboxProcess process = session.start(shell)) {
      BufferedReader out = reader(process);
      OutputStream in = process.stdin();
      for (int i = 0; i < 50; i++) {
        in.write((i + "\n").getBytes(UTF_8));
        assertThat(out.readLine()).isEqualTo("<" + i + ">");
      }
      assertThat(process.isAlive()).isTrue();
      in.close();
      assertThat(out.readLine()).isEqualTo("bye");
      assertThat(out.readLine()).isNull();
      SandboxResult result = end(process);
      assertThat(result.exitCode()).isZero();
      assertThat(result.stdout()).startsWith("<0>\n<1>\n").endsWith("bye\n");
      assertThat(process.isAlive()).isFalse();
      assertThatThrownBy(() -> in.write('x')).isInstanceOf(IOException.class);
    }
  }

  /** As one that an agent has started, looks at, and ends. */
  @Test
  void aServerServesUntilItIsEnded() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "needs Python");
    try (SandboxSession online = SandboxSession.builder().network(true).open()) {
      online.files().write("page.txt", "served");
      SandboxCommand command =
          SandboxCommand.of("python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "0");
      URI page;
      try (SandboxProcess server = online.start(command.mergeStderr())) {
        String line = reader(server).readLine();
        String port = line.replaceAll("^.* port (\\d+) .*$", "$1");
        page = URI.create("http://127.0.0.1:" + port + "/page.txt");
        for (int i = 0; i < 20; i++) {
          try (InputStream content = page.toURL().openStream()) {
            assertThat(content.readAllBytes()).asString().isEqualTo("served");
          }
        }
        assertThat(server.isAlive()).isTrue();
        server.terminate(LONG);
        assertThat(end(server).outcome()).isEqualTo(new Outcome.Signaled(15));
        assertThat(server.onExit().join().stdout()).contains("GET /page.txt");
      }
      assertThatThrownBy(() -> page.toURL().openStream().close())
          .isInstanceOf(ConnectException.class);
    }
  }

  @Test
  void theSessionsTimeIsNotForItAndItsOwnIs() throws Exception {
    SandboxCommand sleeps = SandboxCommand.shell("echo on; sleep 1; echo off");
    assertThat(end(session.start(sleeps)).stdout()).isEqualTo("on\noff\n");
    SandboxResult late = end(session.start(sleeps.timeout(Duration.ofMillis(200))));
    assertThat(late.outcome()).isInstanceOf(Outcome.TimedOut.class);
    assertThat(late.stdout()).isEqualTo("on\n");
  }

  @Test
  void aStreamThatNobodyReadsHoldsUpNobodyAndHasNoSilentGap() throws Exception {
    SandboxCommand flood =
        SandboxCommand.shell("head -c 3000000 /dev/zero | tr '\\0' a; exit 4").maxOutputBytes(1000);
    SandboxProcess process = session.start(flood);
    SandboxResult result = end(process);
    assertThat(result.exitCode()).isEqualTo(4);
    assertThat(result.stdoutTotalBytes()).isEqualTo(3_000_000);
    assertThat(process.stdout().readNBytes(1000)).hasSize(1000).containsOnly('a');
    assertThat(process.stdoutLostBytes()).isEqualTo(2_999_000);
    assertThatThrownBy(() -> process.stdout().read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("2999000 bytes");
  }

  @Test
  void aSlowReaderGetsEveryByteInOrder() throws Exception {
    SandboxCommand numbers = SandboxCommand.of("seq", "1", "300000").maxOutputBytes(4096);
    try (SandboxProcess process = session.start(numbers)) {
      BufferedReader out = new BufferedReader(new InputStreamReader(process.stdout(), UTF_8), 100);
      for (int i = 1; i <= 300_000; i++) {
        assertThat(out.readLine()).isEqualTo(Integer.toString(i));
      }
      assertThat(out.readLine()).isNull();
      assertThat(process.stdoutLostBytes()).isZero();
      assertThat(end(process).stdout()).hasSize(4096);
    }
  }

  @Test
  void aReaderThatStopsDoesNotHoldUpTheCommandsTimeLimitOrItsEnd() throws Exception {
    SandboxCommand flood = SandboxCommand.of("yes").maxOutputBytes(4096);
    SandboxProcess late = session.start(flood.timeout(Duration.ofMillis(300)));
    assertThat(late.stdout().read()).isEqualTo('y');
    assertThat(end(late).outcome()).isInstanceOf(Outcome.TimedOut.class);
    SandboxProcess killed = session.start(flood);
    assertThat(killed.stdout().read()).isEqualTo('y');
    killed.close();
    assertThat(killed.isAlive()).isFalse();
    SandboxProcess unwanted = session.start(SandboxCommand.of("seq", "1", "300000"));
    assertThat(unwanted.stdout().read()).isEqualTo('1');
    unwanted.stdout().close();
    assertThat(end(unwanted).exitCode()).isZero();
  }

  @Test
  void aReaderThatKeepsUpLosesNothingHoweverMuchComes() throws Exception {
    SandboxCommand counted =
        SandboxCommand.shell(
                "i=0; while [ $i -lt 400 ]; do printf %1000s x; read a; i=$((i+1)); done")
            .maxOutputBytes(2000);
    try (SandboxProcess process = session.start(counted)) {
      for (int i = 0; i < 400; i++) {
        assertThat(process.stdout().readNBytes(1000)).hasSize(1000);
        process.stdin().write('\n');
      }
      SandboxResult result = end(process);
      assertThat(result.stdoutTotalBytes()).isEqualTo(400_000);
      assertThat(result.stdout()).hasSize(2000);
      assertThat(process.stdoutLostBytes()).isZero();
    }
  }

  @Test
  void linesComeToASubscriberAsItAsksForThem() throws Exception {
    SandboxCommand lines = SandboxCommand.shell("printf 'a\\nb\\n'; printf 'é\\nend'; echo e >&2");
    try (SandboxProcess process = session.start(lines)) {
      List<String> got = new ArrayList<>();
      CompletableFuture<List<String>> all = new CompletableFuture<>();
      process.stdoutLines().subscribe(new OneByOne(got, all));
      assertThat(all.get(30, TimeUnit.SECONDS)).containsExactly("a", "b", "é", "end");
      assertThat(end(process).stderr()).isEqualTo("e\n");
    }
  }

  /** Asks for one line after the other. */
  private record OneByOne(List<String> got, CompletableFuture<List<String>> all)
      implements Flow.Subscriber<String> {
    private static final ThreadLocal<Flow.Subscription> SUBSCRIPTION = new ThreadLocal<>();

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      SUBSCRIPTION.set(subscription);
      subscription.request(1);
    }

    @Override
    public void onNext(String line) {
      got.add(line);
      SUBSCRIPTION.get().request(1);
    }

    @Override
    public void onError(Throwable failure) {
      all.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      all.complete(got);
    }
  }

  @Test
  void aStreamHasOneSubscriber() {
    try (SandboxProcess process = session.start(SandboxCommand.of("cat"))) {
      Flow.Publisher<String> lines = process.stdoutLines();
      lines.subscribe(new OneByOne(new ArrayList<>(), new CompletableFuture<>()));
      CompletableFuture<List<String>> second = new CompletableFuture<>();
      lines.subscribe(new OneByOne(new ArrayList<>(), second));
      assertThat(second).isCompletedExceptionally();
    }
  }

  @Test
  void itIsAskedToEndAndKilledWhenItDoesNot() throws Exception {
    SandboxProcess polite =
        session.start(
            SandboxCommand.shell("trap 'echo asked; exit 5' TERM; echo on; sleep 60 & wait"));
    assertThat(reader(polite).readLine()).isEqualTo("on");
    polite.terminate(LONG);
    SandboxResult asked = end(polite);
    assertThat(asked.exitCode()).isEqualTo(5);
    assertThat(asked.stdout()).endsWith("asked\n");

    SandboxProcess deaf =
        session.start(SandboxCommand.shell("trap '' TERM; echo on; while :; do sleep 1; done"));
    assertThat(reader(deaf).readLine()).isEqualTo("on");
    deaf.terminate(Duration.ofMillis(100));
    assertThat(end(deaf).outcome()).isEqualTo(new Outcome.Signaled(9));
  }

  @Test
  void itCanBeGivenForEverToEnd() {
    SandboxProcess process = session.start(SandboxCommand.of("sleep", "60"));
    process.terminate(Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(end(process).outcome()).isEqualTo(new Outcome.Signaled(15));
  }

  @Test
  void signalsReachTheProgramAlsoBeforeItRuns() {
    SandboxProcess process = session.start(SandboxCommand.of("sleep", "60"));
    process.signal(15);
    assertThat(end(process).outcome()).isEqualTo(new Outcome.Signaled(15));
    assertThatThrownBy(() -> process.signal(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 64");
  }

  @Test
  void closingTheSessionEndsItAndItsStreams() throws Exception {
    SandboxProcess process;
    try (SandboxSession own = SandboxSession.builder().open()) {
      process = own.start(SandboxCommand.shell("echo on; sleep 60"));
      assertThat(reader(process).readLine()).isEqualTo("on");
      assertThat(process.waitFor(Duration.ofMillis(1))).isFalse();
    }
    assertThat(process.isAlive()).isFalse();
    assertThat(process.waitFor(LONG)).isTrue();
    assertThat(process.stdout().read()).isEqualTo(-1);
    assertThat(process.onExit().isCancelled()).isTrue();
    assertThat(process.onExit().handle((_, failure) -> failure).join())
        .isInstanceOf(SandboxCanceledException.class);
  }

  @Test
  void whatTheCommandBringsItselfIsNotToBeWritten() {
    try (SandboxProcess process = session.start(SandboxCommand.of("cat").input("own"))) {
      assertThatThrownBy(process::stdin)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("input");
      assertThat(end(process).stdout()).isEqualTo("own");
    }
    try (SandboxProcess process =
        session.start(SandboxCommand.shell("echo o; echo e >&2").mergeStderr())) {
      assertThatThrownBy(process::stderr).isInstanceOf(IllegalStateException.class);
      assertThat(end(process).stdout()).isEqualTo("o\ne\n");
    }
  }
}
