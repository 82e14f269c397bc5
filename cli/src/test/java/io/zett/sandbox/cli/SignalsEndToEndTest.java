package io.zett.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import io.zett.sandbox.cli.ZettProcess.End;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ctrl-C and its kin, sent to the command itself and typed into a terminal. */
class SignalsEndToEndTest {
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
    String line =
        all.stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" "));
    return ZettProcess.start(
        folder, Map.of("SHELL", "/bin/sh"), List.of("script", "-qec", line, "/dev/null"));
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
}
