package io.zett.sandbox.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import io.zett.sandbox.cli.ZettProcess.End;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ctrl-C and its kin, sent to the command itself and typed into a terminal. */
class SignalsEndToEndTest {
  /** A pipe holds 64 KiB (pipe(7)). */
  private static final String FILLS_A_PIPE = "head -c 65536 /dev/zero >&2";

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"INT, 130, 71.01", "TERM, 143, 71.02", "HUP, 129, 71.03"})
  void aSignalEndsTheWholeTreeAndCleansUp(String signal, int status, String mark) throws Exception {
    String script = "pwd; setsid sleep " + mark + " & trap '' INT TERM HUP; sleep " + mark;
    try (ZettProcess zett = ZettProcess.zett(folder, "run", "-c", script + "; echo never")) {
      zett.awaitOutput("\n");
      zett.signal(signal);
      End end = zett.end();
      assertThat(end.status()).isEqualTo(status);
      assertThat(end.err()).startsWith("zett: canceled by SIG" + signal);
      assertThat(end.err().lines()).hasSize(1);
      assertThat(Path.of(end.out().strip())).doesNotExist();
      assertThat(ZettProcess.isRunning(mark)).isFalse();
    }
  }

  @Test
  @Timeout(60)
  void whoDoesNotReadWhatIsSaidOfATimeoutKeepsNobody() throws Exception {
    Process zett = withFullStandardError("--timeout", "1", "-c", FILLS_A_PIPE + "; sleep 71.08");
    assertThat(zett.waitFor()).isEqualTo(124);
  }

  @ParameterizedTest
  @Timeout(60)
  @CsvSource({"INT, 130", "TERM, 143"})
  void whoDoesNotReadWhatIsSaidOfASignalKeepsNobody(String signal, int status) throws Exception {
    Path ready = folder.resolve("ready");
    assertThat(new ProcessBuilder("mkfifo", ready.toString()).start().waitFor()).isZero();
    Process zett =
        withFullStandardError(
            "--workspace", ".", "-c", FILLS_A_PIPE + "; echo > ready; sleep 71.09");
    Files.readString(ready);
    new ProcessBuilder("kill", "-" + signal, Long.toString(zett.pid())).start().waitFor();
    assertThat(zett.waitFor()).isEqualTo(status);
  }

  private Process withFullStandardError(String... words) throws Exception {
    List<String> all = new ArrayList<>(ZettProcess.command());
    all.add("run");
    all.addAll(List.of(words));
    return new ProcessBuilder(all)
        .directory(folder.toFile())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  @Test
  void aSecondSignalDoesNotStopTheCleaningUp() throws Exception {
    String script = "pwd; i=0; while [ $i -lt 3000 ]; do : > f$i; i=$((i+1)); done; echo made";
    try (ZettProcess zett = ZettProcess.zett(folder, "run", "-c", script + "; sleep 71.04")) {
      zett.awaitOutput("made");
      zett.signal("INT");
      zett.signal("INT");
      End end = zett.end();
      assertThat(end.status()).isEqualTo(130);
      assertThat(Path.of(end.out().lines().findFirst().orElseThrow())).doesNotExist();
    }
  }

  @Test
  @Timeout(60)
  void aSignalIsAnOutcomeInJson() throws Exception {
    Path ready = folder.resolve("ready");
    assertThat(new ProcessBuilder("mkfifo", ready.toString()).start().waitFor()).isZero();
    String script = "echo some; echo > ready; sleep 71.05";
    try (ZettProcess zett =
        ZettProcess.zett(folder, "run", "--json", "--workspace", ".", "-c", script)) {
      Files.readString(ready); // returns when the command has written to it
      zett.signal("TERM");
      End end = zett.end();
      assertThat(end.status()).isEqualTo(143);
      Map<String, Object> json = JSON.std.mapFrom(end.out());
      assertThat(json).containsEntry("outcome", "canceled").containsEntry("stdout", "some\n");
    }
  }

  @Test
  void anIgnoredHangUpStaysIgnored() throws Exception {
    List<String> words = new ArrayList<>(List.of("/usr/bin/env", "--ignore-signal=HUP"));
    words.addAll(ZettProcess.command().subList(2, ZettProcess.command().size()));
    words.addAll(List.of("run", "-c", "echo ready; read x; echo still here"));
    try (ZettProcess zett = ZettProcess.start(folder, Map.of(), words)) {
      zett.awaitOutput("ready");
      zett.signal("HUP");
      zett.send("\n");
      End end = zett.end();
      assertThat(end.out()).isEqualTo("ready\nstill here\n");
      assertThat(end.status()).isZero();
    }
  }

  /** In a terminal of its own; what is sent is typed. */
  private ZettProcess inTerminal(String... words) throws Exception {
    List<String> all = new ArrayList<>(ZettProcess.command());
    all.addAll(List.of(words));
    return scripted(all);
  }

  private ZettProcess scripted(List<String> words) throws Exception {
    String line = words.stream().map(SignalsEndToEndTest::quoted).collect(joining(" "));
    return ZettProcess.start(
        folder, Map.of("SHELL", "/bin/sh"), List.of("script", "-qec", line, "/dev/null"));
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  @Test
  void controlCInATerminalEndsTheCommand() throws Exception {
    try (ZettProcess zett = inTerminal("run", "-c", "echo ready; sleep 71.06")) {
      zett.awaitOutput("ready");
      zett.send("\003");
      End end = zett.end();
      assertThat(end.status()).as(end.out()).isEqualTo(130);
      assertThat(end.out()).contains("zett: canceled by SIGINT");
      assertThat(ZettProcess.isRunning("71.06")).isFalse();
    }
  }

  @Test
  void whatIsTypedReachesTheCommand() throws Exception {
    try (ZettProcess zett = inTerminal("run", "--", "cat")) {
      zett.send("typed\n");
      zett.awaitOutput("typed\r\ntyped");
      zett.send("\004");
      assertThat(zett.end().status()).isZero();
    }
  }

  @Test
  void anInteractiveShellRunsAndTheTerminalIsOutOfReach() throws Exception {
    try (ZettProcess zett =
        inTerminal("run", "--", "bash", "-i", "-c", "echo hi; : < /dev/tty || echo no terminal")) {
      End end = zett.end();
      assertThat(end.status()).as(end.out()).isZero();
      assertThat(end.out()).contains("hi\r\n", "no terminal");
    }
  }

  @Test
  void controlBackslashEndsTheCommandAndDumpsNoThreads() throws Exception {
    try (ZettProcess zett = inTerminal("run", "-c", "echo ready; sleep 71.07")) {
      zett.awaitOutput("ready");
      zett.send("\034");
      End end = zett.end();
      assertThat(end.status()).as(end.out()).isEqualTo(131);
      assertThat(end.out()).doesNotContain("thread", "Thread", "\tat ");
      // Killed by the death of their parent, a moment later.
      awaitNone("71.07");
    }
  }

  private static void awaitNone(String argument) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (ZettProcess.isRunning(argument)) {
      assertThat(System.nanoTime()).as("still running: " + argument).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  @Test
  void aQuitSignalThatAScriptsBackgroundJobsIgnoreIsIgnored() throws Exception {
    List<String> words = new ArrayList<>(List.of("/usr/bin/env", "--ignore-signal=INT,QUIT"));
    words.addAll(ZettProcess.command().subList(2, ZettProcess.command().size()));
    words.addAll(List.of("run", "-c", "echo ready; read x; echo still here"));
    try (ZettProcess zett = ZettProcess.start(folder, Map.of(), words)) {
      zett.awaitOutput("ready");
      zett.signal("QUIT");
      zett.signal("INT");
      zett.send("\n");
      End end = zett.end();
      assertThat(end.out()).isEqualTo("ready\nstill here\n");
      assertThat(end.err()).isEmpty();
      assertThat(end.status()).isZero();
    }
  }

  @Test
  void theTerminalIsAsItWasAfterACommandThatWasInterrupted() throws Exception {
    String line =
        "trap : INT; stty -g; \"$@\" run -c 'stty raw -echo; echo ready; sleep 71.08'; echo; stty -g";
    List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", line, "sh"));
    words.addAll(ZettProcess.command());
    try (ZettProcess zett = scripted(words)) {
      zett.awaitOutput("ready");
      zett.send("\003");
      List<String> settings =
          zett.end().out().lines().filter(text -> text.matches("([0-9a-f]+:){8,}.*")).toList();
      assertThat(settings).hasSize(2);
      assertThat(settings.getLast()).isEqualTo(settings.getFirst());
    }
  }

  /** EPERM is the seccomp filter's, ENOTTY a pipe's. */
  @ParameterizedTest
  @CsvSource({"bubblewrap, 1", "passthrough, 25"})
  void nothingCanBeTypedIntoTheTerminal(String backend, int error) throws Exception {
    String attempts =
        """
        import fcntl, termios
        def inject(fd):
            for byte in b'echo INJECTED\\n':
                fcntl.ioctl(fd, termios.TIOCSTI, bytes([byte]))
        for fd in 0, 1, 2:
            try:
                inject(fd)
                print('injected', fd)
            except OSError as e:
                print('refused', fd, e.errno)
        try:
            inject(open('/dev/tty', 'r+b', buffering=0).fileno())
            print('injected tty')
        except OSError as e:
            print('no terminal', e.errno)
        """;
    try (ZettProcess zett =
        inTerminal("run", "--backend", backend, "--", "python3", "-c", attempts)) {
      End end = zett.end();
      assertThat(end.status()).as(end.out()).isZero();
      // 6 is ENXIO: a process without a controlling terminal has no /dev/tty.
      assertThat(end.out())
          .contains("refused 0 " + error, "refused 1 " + error, "refused 2 " + error)
          .contains("no terminal 6")
          .doesNotContain("INJECTED");
    }
  }

  @Test
  void aStoppedCommandGoesOnInTheForeground() throws Exception {
    List<String> words = new ArrayList<>(List.of("/bin/bash", "--norc", "--noprofile", "-i"));
    try (ZettProcess zett = scripted(words)) {
      String command =
          ZettProcess.command().stream().map(SignalsEndToEndTest::quoted).collect(joining(" "));
      zett.send(command + " run -c 'echo re\"\"ady; read x; echo go\"\"ne on'\n");
      zett.awaitOutput("ready");
      zett.send("\032");
      zett.awaitOutput("Stopped");
      // What is typed before the shell is back may still be read for the command.
      zett.send("fg; echo ba\"\"ck\n\n");
      zett.awaitOutput("gone on");
      zett.awaitOutput("back");
      zett.send("exit 3\n");
      assertThat(zett.end().status()).isEqualTo(3);
    }
  }
}
