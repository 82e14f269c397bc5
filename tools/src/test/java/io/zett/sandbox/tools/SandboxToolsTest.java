package io.zett.sandbox.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.zett.sandbox.SandboxClosedException;
import io.zett.sandbox.SandboxSession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SandboxToolsTest {
  private SandboxSession session;
  private SandboxTools tools;

  @BeforeEach
  void open() {
    session = SandboxSession.builder().maxFileSize("8MB").open();
    tools = SandboxTools.builder(session).ownsSession(true).build();
  }

  @AfterEach
  void close() {
    tools.close();
    assertThat(session.isOpen()).isFalse();
  }

  private static void assertRefused(ThrowingCallable call, String... words) {
    assertThatExceptionOfType(ToolException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e).hasMessageContainingAll(words));
  }

  @Test
  void aCommandThatFailsIsAReport() {
    CommandReport report =
        tools.run(
            RunRequest.shell("pwd; cat; echo bad >&2; exit 3")
                .input("given\n")
                .in("/usr")
                .timeout(30));
    assertThat(report.outcome()).isEqualTo(CommandReport.Outcome.EXITED);
    assertThat(report.exitCode()).isEqualTo(3);
    assertThat(report.failed()).isTrue();
    assertThat(report.stdout().text()).isEqualTo("/usr\ngiven\n");
    assertThat(report.stderr().text()).isEqualTo("bad\n");
    assertThat(report.stdout().truncated()).isFalse();
    assertThat(report.wallSeconds()).isPositive();
    assertThat(report.text())
        .isEqualTo(
            """
            <working_directory>/usr</working_directory>
            <exit_code>3</exit_code>
            <stdout>
            /usr
            given
            </stdout>
            <stderr>
            bad
            </stderr>
            """);
    CommandReport good = tools.run(RunRequest.program(List.of("printf", "%s|", "a b", "$HOME")));
    assertThat(good.stdout().text()).isEqualTo("a b|$HOME|");
    assertThat(good.failed()).isFalse();
    assertThat(good.cwd()).isEqualTo(session.workspace().toString());
  }

  @Test
  void howACommandEndedIsSaid() {
    CommandReport late = tools.run(RunRequest.shell("echo begun; sleep 1000").timeout(0.3));
    assertThat(late.timedOut()).isTrue();
    assertThat(late.stdout().text()).isEqualTo("begun\n");
    assertThat(late.text()).contains("<outcome>timed_out</outcome>");
    CommandReport killed = tools.run(RunRequest.shell("kill -SEGV $$"));
    assertThat(killed.outcome()).isEqualTo(CommandReport.Outcome.SIGNALED);
    assertThat(killed.exitCode()).isEqualTo(139);
    assertThat(tools.run(RunRequest.program(List.of("no-such-program"))).exitCode()).isEqualTo(127);
  }

  @Test
  void theEndOfMuchOutputIsShownAndTheRestIsPaged() {
    CommandReport report = tools.run(RunRequest.shell("seq 1 100000"));
    String all = expected();
    assertThat(report.stdout().total()).isEqualTo(all.length());
    assertThat(report.stdout().text()).isEqualTo(all.substring(all.length() - 30_000));
    assertThat(report.stdout().truncated()).isTrue();
    assertThat(report.text()).contains("read_output", "id " + report.id());
    StringBuilder read = new StringBuilder();
    while (read.length() < all.length()) {
      OutputReport page = tools.readOutput(report.id(), null, (long) read.length(), null);
      assertThat(page.skipped()).isZero();
      assertThat(page.running()).isFalse();
      assertThat(page.exitCode()).isZero();
      assertThat(page.part().text()).isNotEmpty();
      read.append(page.part().text());
    }
    assertThat(read).hasToString(all);
  }

  private static String expected() {
    StringBuilder all = new StringBuilder();
    for (int i = 1; i <= 100_000; i++) {
      all.append(i).append('\n');
    }
    return all.toString();
  }

  @Test
  void memoryIsBoundedAndWhatIsLostIsSaid() {
    try (SandboxTools small =
        SandboxTools.builder(session)
            .tailCharacters(100)
            .keptBytes(1_000)
            .keptCommands(2)
            .build()) {
      CommandReport report = small.run(RunRequest.shell("head -c 20000000 /dev/zero; echo end"));
      assertThat(report.stdout().total()).isEqualTo(20_000_004);
      assertThat(report.stdout().text()).hasSize(100).endsWith("end\n");
      OutputReport page = small.readOutput(report.id(), "stdout", 10L, null);
      assertThat(page.skipped()).isEqualTo(20_000_004 - 1_000 - 10);
      assertThat(page.text()).contains("kept no longer");
      small.run(RunRequest.shell("true"));
      small.run(RunRequest.shell("true"));
      small.run(RunRequest.shell("true"));
      assertRefused(
          () -> small.readOutput(report.id(), null, null, null), "id: ", "any more", "known ones");
    }
    assertThat(session.isOpen()).isTrue();
  }

  @Test
  void aBackgroundCommandIsTalkedTo() {
    StartReport started =
        tools.start(RunRequest.shell("while read line; do echo got $line; done; echo over >&2"));
    String id = started.id();
    assertThat(tools.readOutput(id, null, null, 0.0).part().text()).isEmpty();
    tools.sendInput(id, "one\n", false);
    OutputReport first = tools.readOutput(id, null, null, 60.0);
    assertThat(first.part().text()).isEqualTo("got one\n");
    assertThat(first.running()).isTrue();
    assertThat(first.exitCode()).isNull();
    tools.sendInput(id, "two\n", true);
    assertThat(tools.readOutput(id, "stdout", null, 60.0).part().text()).isEqualTo("got two\n");
    assertThat(tools.readOutput(id, "stderr", null, 60.0).part().text()).isEqualTo("over\n");
    CommandReport end = tools.stop(id);
    assertThat(end.stdout().text()).isEqualTo("got one\ngot two\n");
    assertThat(end.id()).isEqualTo(id);
    assertRefused(() -> tools.sendInput(id, "x", false), id + " takes no input");
  }

  @Test
  void aBackgroundCommandIsStopped() {
    String asked =
        tools
            .start(RunRequest.shell("trap 'echo bye; exit 0' TERM; echo up; sleep 1000 & wait"))
            .id();
    assertThat(tools.readOutput(asked, null, null, 60.0).part().text()).isEqualTo("up\n");
    CommandReport report = tools.stop(asked);
    assertThat(report.outcome()).isEqualTo(CommandReport.Outcome.EXITED);
    assertThat(report.stdout().text()).isEqualTo("up\nbye\n");
    String deaf = tools.start(RunRequest.shell("trap '' TERM; echo up; sleep 1000")).id();
    assertThat(tools.readOutput(deaf, null, null, 60.0).part().text()).isEqualTo("up\n");
    CommandReport killed = tools.stop(deaf);
    assertThat(killed.outcome()).isEqualTo(CommandReport.Outcome.CANCELED);
    assertThat(killed.failed()).isTrue();
    assertThat(tools.stop(deaf).exitCode()).isEqualTo(killed.exitCode());
  }

  @Test
  void onlySoManyRunInTheBackground() {
    try (SandboxTools two = SandboxTools.builder(session).maxBackground(2).build()) {
      String first = two.start(RunRequest.shell("sleep 1000")).id();
      String second = two.start(RunRequest.shell("sleep 1000")).id();
      assertRefused(
          () -> two.start(RunRequest.shell("true")), "stop_command", first + ", " + second);
      two.stop(first);
      two.start(RunRequest.shell("sleep 1000"));
    }
  }

  @Test
  void aCommandThatDoesNotReadHoldsUpNobody() {
    String id = tools.start(RunRequest.shell("sleep 1000")).id();
    assertRefused(
        () -> {
          for (int i = 0; i < 10; i++) {
            tools.sendInput(id, "x".repeat(65_536), false);
          }
        },
        "does not read its input");
    assertRefused(() -> tools.sendInput(id, "y", false), "has not read what was sent before");
    assertRefused(() -> tools.sendInput(id, "x".repeat(65_537), false), "send it in parts");
  }

  @Test
  void anInterruptEndsTheCommandAndStaysSet() throws Exception {
    AtomicReference<CommandReport> report = new AtomicReference<>();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread caller =
        Thread.ofVirtual()
            .start(
                () -> {
                  report.set(tools.run(RunRequest.shell("touch up; sleep 1000")));
                  flag.complete(Thread.currentThread().isInterrupted());
                });
    while (!session.files().exists("up")) {
      Thread.onSpinWait();
    }
    caller.interrupt();
    assertThat(flag.get()).isTrue();
    assertThat(report.get().outcome()).isEqualTo(CommandReport.Outcome.CANCELED);
  }

  @Test
  void closingEndsWhatRuns() throws Exception {
    String id = tools.start(RunRequest.shell("echo up; sleep 1000")).id();
    assertThat(tools.readOutput(id, null, null, 60.0).part().text()).isEqualTo("up\n");
    CompletableFuture<CommandReport> pending =
        CompletableFuture.supplyAsync(() -> tools.run(RunRequest.shell("touch here; sleep 1000")));
    while (!session.files().exists("here")) {
      Thread.onSpinWait();
    }
    session.close();
    assertThat(pending.get().outcome()).isEqualTo(CommandReport.Outcome.CANCELED);
    assertThat(tools.readOutput(id, null, null, null).running()).isFalse();
    assertRefused(() -> tools.run(RunRequest.shell("true")), "closed");
    assertRefused(() -> tools.readFile("a", null, null), "closed");
  }

  @Test
  void filesAreReadInParts() {
    assertThat(tools.writeFile("src/a.txt", "one\ntwo\nthree").bytes()).isEqualTo(13);
    assertThat(tools.readFile("src/a.txt", null, null))
        .isEqualTo(new FileReport("src/a.txt", "one\ntwo\nthree", 1, 3, 3, false));
    FileReport part = tools.readFile("src/a.txt", 2L, 1L);
    assertThat(part).isEqualTo(new FileReport("src/a.txt", "two\n", 2, 1, 3, true));
    assertThat(part.text()).isEqualTo("two\n[the file has 3 lines; read on with offset 3]\n");
    assertRefused(() -> tools.readFile("src/a.txt", 4L, null), "has 3 lines");
    assertRefused(() -> tools.readFile("src/a.txt", 0L, null), "the first one is 1");
    tools.writeFile("empty", "");
    assertThat(tools.readFile("empty", null, null).content()).isEmpty();
    tools.writeFile("long", "x".repeat(29_999) + "\n" + "y".repeat(20) + "\n");
    assertThat(tools.readFile("long", null, null).lines()).isEqualTo(1);
    assertThat(tools.readFile("long", 2L, null).content()).hasSize(21);
    tools.writeFile("longer", "x".repeat(30_001));
    assertRefused(() -> tools.readFile("longer", null, null), "line 1", "cut -c");
    tools.run(RunRequest.shell("ln -s /etc/passwd link; printf 'a\\nb' > \"$(printf 'n\\nm')\""));
    assertRefused(() -> tools.readFile("link", null, null), "link: ", "symbolic link");
    assertRefused(() -> tools.readFile("../x", null, null), "not in the workspace");
    assertRefused(() -> tools.writeFile("src", "x"), "is a directory");
    assertThat(tools.listDirectory(null).text().lines())
        .contains("directory 0 src/", "file 0 empty", "link 0 link", "file 3 n\\x0am");
    assertThat(tools.listDirectory("src").text()).isEqualTo("file 13 a.txt\n");
  }

  @Test
  void wrongArgumentsSayWhatToDo() {
    assertRefused(() -> tools.run(RunRequest.shell("true").timeout(0)), "timeout_seconds: 0.0");
    assertRefused(
        () -> tools.run(RunRequest.shell("true").timeout(601)), "at most 600", "start_command");
    assertRefused(() -> tools.run(RunRequest.shell("true").timeout(Double.NaN)), "NaN");
    assertRefused(() -> tools.run(RunRequest.shell("a\0b")), "NUL");
    assertRefused(() -> tools.run(RunRequest.program(List.of())), "program");
    assertRefused(() -> tools.run(RunRequest.shell("true").in("no-such")), "no-such");
    assertRefused(() -> tools.run(RunRequest.shell("true").in("a\0b")), "cwd");
    assertRefused(() -> tools.readOutput("c99", null, null, null), "c99", "known ones are");
    assertRefused(() -> tools.stop("c99"), "c99", "known ones are c1");
    String id = tools.run(RunRequest.shell("true")).id();
    assertRefused(() -> tools.readOutput(id, "out", null, null), "stdout");
    assertRefused(() -> tools.readOutput(id, null, -1L, null), "0 is the beginning");
    assertRefused(() -> tools.readOutput(id, null, null, 61.0), "from 0 to 60");
    assertRefused(() -> tools.sendInput(id, "x", false), "only start_command");
    assertRefused(() -> tools.start(RunRequest.shell("cat").input("x")), "send_input");
  }

  @Test
  void buildersRefuseWhatCannotBe() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SandboxTools.builder(session).tailCharacters(1))
        .withMessageContaining("from 100");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SandboxTools.builder(session).maxTimeout(Duration.ZERO));
    assertThatExceptionOfType(SandboxClosedException.class)
        .isThrownBy(() -> SandboxTools.builder(SandboxSession.builder().build()));
  }
}
