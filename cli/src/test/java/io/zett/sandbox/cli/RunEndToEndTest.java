package io.zett.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import io.zett.sandbox.cli.ZettProcess.End;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunEndToEndTest {
  @TempDir Path folder;

  private End run(String... words) throws Exception {
    String[] all = new String[words.length + 1];
    all[0] = "run";
    System.arraycopy(words, 0, all, 1, words.length);
    return ZettProcess.run(folder, all);
  }

  private static Map<String, Object> json(End end) throws Exception {
    assertThat(end.out().lines()).as(end.err()).hasSize(1);
    Map<String, Object> json = JSON.std.mapFrom(end.out());
    assertThat(json.keySet()).containsExactlyElementsOf(ResultJsonTest.KEYS);
    return json;
  }

  @Test
  void outputStreamsThroughAndNothingElseIsPrinted() throws Exception {
    End end = run("-c", "echo out; echo err >&2");
    assertThat(end.out()).isEqualTo("out\n");
    assertThat(end.err()).isEqualTo("err\n");
    assertThat(end.status()).isZero();
  }

  @Test
  void withoutIsolationOneLineSaysSo() throws Exception {
    End end = run("--backend", "passthrough", "-c", "echo out; echo err >&2");
    assertThat(end.out()).isEqualTo("out\n");
    assertThat(end.err().lines())
        .hasSize(2)
        .contains("err")
        .anyMatch(line -> line.startsWith("zett: the backend passthrough isolates nothing"));
    assertThat(end.status()).isZero();

    End json = run("--backend", "passthrough", "--json", "-c", "echo out");
    assertThat(json(json)).containsEntry("backend", "passthrough");
    assertThat(json.err().lines()).hasSize(1);
  }

  @Test
  void outputArrivesWhileTheCommandRuns() throws Exception {
    try (ZettProcess zett = ZettProcess.zett(folder, "run", "-c", "echo ready; read x; echo $x")) {
      zett.awaitOutput("ready");
      zett.send("go\n");
      assertThat(zett.end().out()).isEqualTo("ready\ngo\n");
    }
  }

  @Test
  void outputIsNeitherCappedNorChanged() throws Exception {
    End end = run("--", "perl", "-e", "print pack('C*', 0..255) x 20000");
    assertThat(end.bytes()).hasSize(256 * 20_000);
    for (int i = 0; i < 256; i++) {
      assertThat(end.bytes()[256 * 19_999 + i]).isEqualTo((byte) i);
    }
  }

  @Test
  void theExitStatusIsTheCommands() throws Exception {
    assertThat(run("--", "sh", "-c", "exit 300").status()).isEqualTo(44);
    assertThat(run("--", "sh", "-c", "kill -SEGV $$").status()).isEqualTo(139);
    assertThat(run("--", "/etc/passwd").status()).isEqualTo(126);
    assertThat(run("--", "no-such-program").status()).isEqualTo(127);
  }

  @Test
  void aTimeoutIs124AndSaysSoInOneLine() throws Exception {
    End end = run("--timeout", "0.3", "-c", "echo kept; sleep 61.31");
    assertThat(end.status()).isEqualTo(124);
    assertThat(end.out()).isEqualTo("kept\n");
    assertThat(end.err().lines()).hasSize(1);
    assertThat(end.err()).startsWith("zett: timed out after 0.3 s");
    assertThat(ZettProcess.isRunning("61.31")).isFalse();
  }

  @Test
  void whatCannotBeSetUpIs125() throws Exception {
    End end = run("--cwd", "no-such-directory", "true");
    assertThat(end.status()).isEqualTo(125);
    assertThat(end.out()).isEmpty();
    assertThat(end.err()).startsWith("zett: ").contains("no-such-directory");
  }

  @Test
  void aWorkspaceThatDoesNotExistIsWrongUsage() throws Exception {
    End end = run("--workspace", "no-such-directory", "true");
    assertThat(end.status()).isEqualTo(2);
    assertThat(end.err()).startsWith("zett: ").contains("no-such-directory");
  }

  @Test
  void aProgramThatLooksLikeAnOptionIsAProgram() throws Exception {
    for (String[] words :
        new String[][] {
          {"--", "--help"}, {"--", "-c", "x"}, {"--", "--bind", "/", "/", "sh"}, {"--", "--", "ls"}
        }) {
      End end = run(words);
      assertThat(end.status()).as(List.of(words).toString()).isEqualTo(127);
      assertThat(end.err()).contains(words[1]);
      assertThat(end.out()).isEmpty();
    }
  }

  @Test
  void argumentsArriveUnchangedUnderAnyLocale() throws Exception {
    List<String> words = new ArrayList<>(ZettProcess.command());
    words.addAll(
        List.of("run", "--env", "X", "--", "sh", "-c", "printf '<%s>' \"$X\" \"$@\"", "sh"));
    words.addAll(List.of("", "h\u00fc", "\"*\"", "a\nb"));
    List<String> line =
        List.of("/bin/bash", "-c", "export X=$'\\xc3\\xa4' LC_ALL=C; exec \"$@\"", "line");
    List<String> all = new ArrayList<>(line);
    all.addAll(words);
    try (ZettProcess zett = ZettProcess.start(folder, Map.of(), all)) {
      zett.closeInput();
      assertThat(zett.end().out()).isEqualTo("<\u00e4><><h\u00fc><\"*\"><a\nb>");
    }
  }

  @Test
  void theWorkspaceIsPrivateAndGoneAfterwards() throws Exception {
    End end = run("-c", "pwd; ls -A; touch f");
    assertThat(end.out().lines()).hasSize(1);
    assertThat(Path.of(end.out().strip())).doesNotExist();
  }

  @Test
  void aGivenWorkspaceIsWrittenAndStays() throws Exception {
    End end = run("--workspace", ".", "-c", "echo made > file && pwd");
    assertThat(end.out().strip()).isEqualTo(folder.toRealPath().toString());
    assertThat(folder.resolve("file")).hasContent("made\n");
  }

  @Test
  void aProgramOfThisDirectoryThatIsNotFoundIsHintedAt() throws Exception {
    Path script = Files.writeString(folder.resolve("build.sh"), "#!/bin/sh\necho built\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    End hidden = run("./build.sh");
    assertThat(hidden.status()).isEqualTo(127);
    assertThat(hidden.err()).contains("zett: ./build.sh exists in this directory", "--workspace .");
    assertThat(run("--workspace", ".", "./build.sh").out()).isEqualTo("built\n");
  }

  @Test
  void standardInputIsPassedOn() throws Exception {
    assertThat(
            ZettProcess.runLine(folder, "head -c 10000000 /dev/zero | \"$@\" run -- wc -c").out())
        .isEqualTo("10000000\n");
    assertThat(ZettProcess.runLine(folder, "\"$@\" run -- wc -c < /etc/passwd").out())
        .isEqualTo(Files.size(Path.of("/etc/passwd")) + "\n");
    assertThat(ZettProcess.runLine(folder, "echo in | \"$@\" run --json -- cat").out())
        .contains("\"stdout\":\"in\\n\"");
  }

  @Test
  void inputThatNobodyReadsIsNoFailure() throws Exception {
    End end = ZettProcess.runLine(folder, "yes | head -c 5000000 | \"$@\" run -- head -c 1");
    assertThat(end.status()).isZero();
    assertThat(end.out()).isEqualTo("y");
  }

  @Test
  void aClosedStandardInputIsAnEmptyOne() throws Exception {
    End end = ZettProcess.runLine(folder, "\"$@\" run -c 'cat; echo eof' <&-");
    assertThat(end.out()).isEqualTo("eof\n");
    assertThat(end.err()).isEmpty();
    assertThat(end.status()).isZero();
  }

  @Test
  void aReaderThatLeavesEndsTheCommand() throws Exception {
    End end = ZettProcess.runLine(folder, "\"$@\" run -- yes | head -1; echo ${PIPESTATUS[0]}");
    assertThat(end.out()).isEqualTo("y\n141\n");
    assertThat(end.err()).isEmpty();
  }

  @Test
  void outputThatCannotBeWrittenIsNoSuccess() throws Exception {
    for (String options : List.of("", "--json")) {
      End end = ZettProcess.runLine(folder, "\"$@\" run " + options + " -- echo x > /dev/full");
      assertThat(end.status()).isEqualTo(125);
      assertThat(end.err()).startsWith("zett: standard output: ");
    }
  }

  @Test
  void theJsonObjectIsAlone() throws Exception {
    Map<String, Object> json =
        json(run("--json", "--", "sh", "-c", "echo h\u00fc; echo e >&2; exit 3"));
    assertThat(json)
        .containsEntry("outcome", "exited")
        .containsEntry("exitCode", 3)
        .containsEntry("stdout", "h\u00fc\n")
        .containsEntry("stderr", "e\n")
        .containsEntry("stdoutTotalBytes", 4)
        .containsEntry("backend", "bubblewrap")
        .containsEntry("error", null);
    assertThat((Double) json.get("wallSeconds")).isPositive();
    assertThat((Double) json.get("setupSeconds")).isPositive();
  }

  @Test
  void jsonKeepsTheHeadAndCountsTheRest() throws Exception {
    End end = run("--json", "--max-output-bytes", "10", "-c", "yes | head -c 1000000");
    assertThat(json(end))
        .containsEntry("stdout", "y\ny\ny\ny\ny\n")
        .containsEntry("stdoutTotalBytes", 1_000_000)
        .containsEntry("stdoutTruncated", true)
        .containsEntry("stderrTruncated", false);
  }

  @Test
  void jsonHasTheStatusOfTheRunWithoutIt() throws Exception {
    End late = run("--json", "--timeout", "0.3", "-c", "echo kept; sleep 61.32");
    assertThat(late.status()).isEqualTo(124);
    assertThat(json(late))
        .containsEntry("outcome", "timed_out")
        .containsEntry("timedOut", true)
        .containsEntry("stdout", "kept\n");

    End killed = run("--json", "--", "sh", "-c", "kill -SEGV $$");
    assertThat(killed.status()).isEqualTo(139);
    assertThat(json(killed)).containsEntry("outcome", "signaled").containsEntry("signal", 11);

    End broken = run("--json", "--cwd", "no-such-directory", "true");
    assertThat(broken.status()).isEqualTo(125);
    assertThat(json(broken)).containsEntry("outcome", "error");
  }

  @Test
  void verboseTellsBackendAndWorkspaceOnStandardError() throws Exception {
    End end = run("--verbose", "-c", "pwd");
    assertThat(end.err())
        .contains("workspace: " + end.out().strip(), "backend: bubblewrap", "memory");
  }

  @Test
  void doctorSaysThatThisMachineCanIsolate() throws Exception {
    End text = ZettProcess.run(folder, "doctor");
    assertThat(text.out()).as(text.err()).contains("backend: bubblewrap", "scratch_size");
    assertThat(text.status()).isZero();

    End end = ZettProcess.run(folder, "doctor", "--json");
    Map<String, Object> json = JSON.std.mapFrom(end.out());
    assertThat(json.keySet()).containsExactly("backend", "isolated", "limits", "checks");
    assertThat(json).containsEntry("backend", "bubblewrap").containsEntry("isolated", true);
  }
}
