package io.zett.sandbox.cases.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Sandboxed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** I08, I09: arguments and shell texts arrive byte by byte, long ones too. */
class ArgumentsTest {

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void eachArgumentOfAListArrivesAsItIs(SandboxBackend backend) {
    List<String> odd =
        List.of(
            "a b",
            "",
            "*",
            "$HOME",
            "'",
            "\"",
            "\n",
            "\\",
            "-n",
            "--",
            "é漢😀",
            " ",
            "`id`",
            "$(id)",
            ";exit 9",
            "a\tb",
            "#",
            "!",
            "\u0001\u007f",
            "%s",
            "--args",
            "\r\n");
    List<String> command = new ArrayList<>(List.of("printf", "%s|"));
    command.addAll(odd);
    try (SandboxSession session = Sandboxed.session(backend)) {
      SandboxResult result = session.run(command);
      assertThat(result.stdoutBytes()).isEqualTo((String.join("|", odd) + "|").getBytes(UTF_8));
      assertThat(result.exitCode()).isZero();
    }
  }

  @Test
  void anEmptyLastArgumentAndManyArgumentsArrive() {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "echo $# ${9999}", "name"));
    for (int i = 0; i < 20_000; i++) {
      command.add(i % 2 == 0 ? "" : "x" + i);
    }
    try (SandboxSession session = Sandboxed.session()) {
      assertThat(session.run(command).stdout()).isEqualTo("20000\n");
      command.set(4 + 9998, "here");
      assertThat(session.run(command).stdout()).isEqualTo("20000 here\n");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '@',
      value = {
        "echo a # c ~ 0 ~ @a\n@",
        "echo a \\\\ ~ 0 ~ @a \\\n@",
        "@cat <<E\nx\nE@ ~ 0 ~ @x\n@",
        "exit 3; ~ 3 ~ @@",
        "false ~ 1 ~ @@",
        "(exit 4) ~ 4 ~ @@",
        "echo 'unbalanced ~ 2 ~ @@",
        "@echo a\necho b@ ~ 0 ~ @a\nb\n@",
        "@\n\n  echo c @ ~ 0 ~ @c\n@",
        "-n ~ 127 ~ @@",
        "echo $0 $# ~ 0 ~ @/bin/sh 0\n@",
        "set -e; false; echo no ~ 1 ~ @@",
        "echo é漢😀 ~ 0 ~ @é漢😀\n@",
        "echo 1; exec echo 2 ~ 0 ~ @1\n2\n@",
        "# nothing ~ 0 ~ @@",
        "@@ ~ 0 ~ @@"
      })
  void aTextDoesWhatTheShellDoesWithIt(String text, int status, String output) {
    try (SandboxSession session = Sandboxed.session()) {
      SandboxResult result = session.run(text);
      assertThat(result.exitCode()).as(result.stderr()).isEqualTo(status);
      assertThat(result.stdout()).isEqualTo(output);
    }
  }

  @Test
  void aTrailingBackslashDoesWhatItDoesForTheShell() throws IOException, InterruptedException {
    try (SandboxSession session = Sandboxed.session()) {
      for (String text : List.of("echo a \\", "echo a\\", "echo \"a\\", "echo 'a\\'", "\\")) {
        Process plain = new ProcessBuilder("/bin/sh", "-c", text).start();
        byte[] output = plain.getInputStream().readAllBytes();
        SandboxResult result = session.run(text);
        assertThat(result.exitCode()).as(text).isEqualTo(plain.waitFor());
        assertThat(result.stdoutBytes()).as(text).isEqualTo(output);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {99_990, 100_000, 131_000, 131_071, 131_072, 200_000, 1_500_000})
  void aLongTextIsRunAsAShortOne(int length) {
    String text = "echo $0 $#; exit 5 #" + "x".repeat(length);
    try (SandboxSession session = Sandboxed.session()) {
      SandboxResult result = session.run(text);
      assertThat(result.exitCode()).as(result.stderr()).isEqualTo(5);
      assertThat(result.stdout()).isEqualTo("/bin/sh 0\n");
    }
  }

  @Test
  void aLongTextMayBeCutAnywhereWithoutHarm() {
    // Quotes, escapes and characters of several bytes lie across every piece's border.
    String text = "printf %s '" + "漢é'\\''\"\\$x😀 ".repeat(12_000) + "' | wc -c; exit 6";
    int bytes = "漢é'\"\\$x😀 ".getBytes(UTF_8).length * 12_000;
    try (SandboxSession session = Sandboxed.session()) {
      SandboxResult result = session.run(text);
      assertThat(result.exitCode()).as(result.stderr()).isEqualTo(6);
      assertThat(result.stdout().strip()).isEqualTo(Integer.toString(bytes));
    }
  }

  @Test
  void tooLongAnArgumentIsRefusedBeforeAnythingStartsAndNamesItsLengthOnly() {
    String secret = "s3cret" + "x".repeat(200_000);
    try (SandboxSession session = Sandboxed.session()) {
      assertThatThrownBy(() -> session.run(List.of("printf", "%s", secret)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("200006")
          .hasMessageNotContaining("s3cret");
      assertThat(session.run(List.of("printf", "%s", "x".repeat(131_071))).stdoutTotalBytes())
          .isEqualTo(131_071);
      assertThat(session.run("echo again").stdout()).isEqualTo("again\n");
    }
  }

  @Test
  void tooLargeAnEnvironmentIsRefusedBeforeAnythingStarts() {
    Map<String, String> large = new HashMap<>();
    for (int i = 0; i < 30; i++) {
      large.put("V" + i, "s3cret".repeat(17_000));
    }
    try (SandboxSession session = Sandboxed.session()) {
      assertThatThrownBy(() -> session.run(SandboxCommand.of("true").env(large)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageNotContaining("s3cret");
      assertThatThrownBy(
              () -> session.run(SandboxCommand.of("true").env("ONE", "s3cret".repeat(30_000))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("ONE")
          .hasMessageNotContaining("s3cret");
      assertThatThrownBy(() -> session.run("true #" + "x".repeat(3_000_000)))
          .isInstanceOf(IllegalArgumentException.class);
      Map<String, String> fitting = new HashMap<>(large);
      for (int i = 12; i < 30; i++) {
        fitting.remove("V" + i);
      }
      assertThat(session.run(SandboxCommand.shell("echo ${#V3}").env(fitting)).stdout())
          .isEqualTo("102000\n");
      assertThat(session.run("echo again").stdout()).isEqualTo("again\n");
    }
  }
}
