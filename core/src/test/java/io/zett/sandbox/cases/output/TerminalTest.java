package io.zett.sandbox.cases.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxProcess;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command whose standard streams are a terminal of its own. */
@Timeout(60)
class TerminalTest {
  private static final String PYTHON = "/usr/bin/python3";

  private final SandboxSession sb = SandboxSession.builder().open();

  @AfterEach
  void close() {
    sb.close();
  }

  private static SandboxCommand shell(String text) {
    return SandboxCommand.shell(text).terminal(24, 80);
  }

  /** Reads up to a text. */
  private static String readTo(InputStream out, String end) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf(end) < 0) {
      int next = out.read();
      if (next < 0) {
        throw new IOException("the output ended: " + text);
      }
      text.append((char) next);
    }
    return text.toString();
  }

  private static void type(SandboxProcess process, String text) throws IOException {
    OutputStream stdin = process.stdin();
    stdin.write(text.getBytes(UTF_8));
    stdin.flush();
  }

  @Test
  void allThreeStreamsAreOneTerminalOfThatSize() {
    SandboxResult result =
        sb.run(
            shell(
                "for n in 0 1 2; do test -t $n || echo no; done; stty size; tty; echo err >&2;"
                    + " echo $TERM; (echo own > /dev/tty)"));
    String term = System.getenv("TERM") == null ? "xterm-256color" : System.getenv("TERM");
    assertThat(result.stdout())
        .as(result.toString())
        .isEqualTo("24 80\r\n/dev/pts/0\r\nerr\r\n" + term + "\r\nown\r\n");
    assertThat(result.stderr()).isEmpty();
    assertThat(result.succeeded()).isTrue();
  }

  @Test
  void withoutItThereIsNone() {
    assertThat(sb.run("test -t 0 || test -t 1 || echo none; (: > /dev/tty) 2>&1").stdout())
        .startsWith("none\n")
        .contains("/dev/tty");
  }

  @Test
  void aPromptIsTalkedTo() throws IOException {
    assumeTrue(Files.isExecutable(Path.of(PYTHON)), "needs Python");
    SandboxCommand python = SandboxCommand.of(PYTHON, "-q", "-i").terminal(24, 80);
    try (SandboxProcess process = sb.start(python)) {
      InputStream out = process.stdout();
      readTo(out, ">>> ");
      type(process, "6 * 7\n");
      assertThat(readTo(out, ">>> ")).contains("42\r\n");
      process.stdin().close();
      SandboxResult result = process.onExit().join();
      assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
      assertThat(result.stdout()).contains("42\r\n");
    }
  }

  @Test
  void keysAreSignalsForTheProgram() throws IOException {
    // The trap runs when the program in front has ended by the key.
    String text = "trap 'echo caught' INT; sh -c 'echo up; exec cat'; echo on";
    try (SandboxProcess process = sb.start(shell(text))) {
      readTo(process.stdout(), "up\r\n");
      type(process, "\u0003");
      readTo(process.stdout(), "caught\r\n");
      readTo(process.stdout(), "on\r\n");
      assertThat(process.onExit().join().exitCode()).isZero();
    }
  }

  @Test
  void aChangeOfItsSizeIsToldToTheProgram() throws IOException {
    String text = "trap 'stty size; exit 3' WINCH; echo up; while :; do read x; done";
    try (SandboxProcess process = sb.start(shell(text))) {
      readTo(process.stdout(), "up\r\n");
      process.resize(50, 132);
      type(process, "\n"); // The shell looks at what it was told when its read returns.
      assertThat(readTo(process.stdout(), "132\r\n")).endsWith("50 132\r\n");
      assertThat(process.onExit().join().exitCode()).isEqualTo(3);
      process.resize(1, 1);
    }
  }

  @Test
  void aSizeThatIsGivenBeforeItRunsIsItsSizeThen() {
    try (SandboxProcess process = sb.start(shell("read x; stty size"))) {
      process.resize(10, 20);
      assertThat(process.onExit().isDone()).isFalse();
      assertThat(typeAndEnd(process)).endsWith("10 20\r\n");
    }
  }

  private static String typeAndEnd(SandboxProcess process) {
    try {
      type(process, "go\n");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return process.onExit().join().stdout();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "line\n", "part", "line\npart"})
  void theEndOfItsInputIsTheEndThere(String input) {
    SandboxResult result = sb.run(shell("stty -echo; cat | tr a-z A-Z").input(input));
    assertThat(result.succeeded()).isTrue();
    assertThat(result.stdout().replace("\r", ""))
        .endsWith(input.toUpperCase(java.util.Locale.ROOT));
  }

  @Test
  void inputFromAFileAndAMissingOne(@TempDir Path temporary) throws IOException {
    Path file = Files.writeString(temporary.resolve("f"), "typed\n");
    assertThat(sb.run(shell("stty -echo; read x; echo got $x").input(file)).stdout())
        .endsWith("got typed\r\n");
    assertThatThrownBy(() -> sb.run(shell("cat").input(temporary.resolve("none"))))
        .hasMessageContaining("none");
  }

  @Test
  void whatWasWrittenInTheLastMomentIsThere() {
    for (int i = 0; i < 20; i++) {
      SandboxResult result =
          sb.run(shell("i=0; while [ $i -lt 300 ]; do echo line $i; i=$((i+1)); done"));
      assertThat(result.stdout()).endsWith("line 299\r\n").hasLineCount(300);
    }
  }

  @Test
  void muchOutputPastTheCapIsCounted() {
    SandboxResult result =
        sb.run(shell("dd if=/dev/zero bs=64k count=64 status=none").maxOutputBytes(1000));
    assertThat(result.stdoutTotalBytes()).isEqualTo(64 * 65_536);
    assertThat(result.stdoutBytes()).hasSize(1000);
    assertThat(result.stdoutTruncated()).isTrue();
  }

  @Test
  void aProgramThatNeverReadsEndsAtItsTime() {
    SandboxResult result =
        sb.run(
            shell("sleep 100").input("x".repeat(200_000) + "\n").timeout(Duration.ofMillis(300)));
    assertThat(result.timedOut()).isTrue();
  }

  @Test
  void aProcessThatKeepsItOpenIsGoneAllTheSame() {
    SandboxResult result = sb.run(shell("trap '' HUP; sleep 100 & echo started"));
    assertThat(result.stdout()).isEqualTo("started\r\n");
    assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
  }

  /** As most programs do just before they exit. */
  @Test
  void aProgramThatClosesItsStreamsGoesOn() {
    String text = "exec <&- >&- 2>&-; sleep 0.2; touch done; exit 5";
    assertThat(sb.run(shell(text)).outcome()).isEqualTo(new Outcome.Exited(5));
    assertThat(sb.workspace().resolve("done")).exists();
    for (int i = 0; i < 20; i++) {
      SandboxResult result = sb.run(SandboxCommand.of("cat").input("abc").terminal(24, 80));
      assertThat(result.outcome()).as(result.toString()).isEqualTo(new Outcome.Exited(0));
      assertThat(result.stdout()).isEqualTo("abcabc");
    }
  }

  /** A sandbox that was started ahead learns of the terminal with its command. */
  @Test
  void aSandboxThatWaitsTakesOneToo() {
    try (SandboxSession warm = SandboxSession.builder().warm(1).open()) {
      for (int i = 0; i < 3; i++) {
        assertThat(warm.run(shell("stty size")).stdout()).isEqualTo("24 80\r\n");
        assertThat(warm.run("tty").stdout()).isEqualTo("not a tty\n");
      }
    }
  }

  /** TIOCSTI types into a terminal as if by its user. */
  @Test
  void nothingCanBeTypedIntoItFromWithin() {
    assumeTrue(Files.isExecutable(Path.of(PYTHON)), "needs Python");
    String inject =
        "import fcntl, os, termios\n"
            + "for name in ('/dev/tty', '/dev/pts/0'):\n"
            + "  try:\n"
            + "    fcntl.ioctl(os.open(name, os.O_RDWR), termios.TIOCSTI, b'x'); print('typed')\n"
            + "  except OSError as e: print('refused')\n";
    assertThat(sb.run(SandboxCommand.of(List.of(PYTHON, "-c", inject)).terminal(24, 80)).stdout())
        .isEqualTo("refused\r\nrefused\r\n");
  }

  /** The sandbox's own devpts has this terminal, and none of the host's. */
  @Test
  void noTerminalOfTheHostIsThere() {
    assertThat(sb.run(shell("ls /dev/pts")).stdout()).containsPattern("\\A0\\s+ptmx\\s*\\z");
  }

  @Test
  void withoutATerminalThereIsNothingToResize() {
    try (SandboxProcess process = sb.start(SandboxCommand.of("true"))) {
      assertThatThrownBy(() -> process.resize(1, 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("terminal(rows, columns)");
    }
    try (SandboxProcess process = sb.start(shell("true"))) {
      assertThatThrownBy(process::stderr)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("terminal");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> process.resize(0, 1))
          .withMessage("terminal: 0 rows is out of range; from 1 to 65535");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SandboxCommand.of("x").terminal(1, 65_536))
        .withMessage("terminal: 65536 columns is out of range; from 1 to 65535");
  }
}
