package io.zett.sandbox.portable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** K06: what a program of Windows gets, and what {@code cmd.exe} never does. */
class WindowsWordsTest {
  private static final Path SHELL = Path.of("/windows/System32/cmd.exe");
  private static final WindowsWords WORDS = WindowsWords.of(SHELL, false);
  private static final WindowsWords STRICT = WindowsWords.of(SHELL, true);

  /** The line that the JDK makes of words when it is not strict. */
  private static String line(List<String> words) {
    List<String> line = new ArrayList<>();
    for (String word : words) {
      boolean isQuoted = word.length() > 1 && word.startsWith("\"") && word.endsWith("\"");
      boolean bare = !word.isEmpty() && word.chars().noneMatch(c -> c == ' ' || c == '\t');
      // It would quote others, without heed of quotes in them: we must never rely on that.
      assertThat(isQuoted || bare).as(word).isTrue();
      line.add(word);
    }
    return String.join(" ", line);
  }

  /** How the C library takes a line apart (Microsoft, "Parsing C command-line arguments"). */
  private static List<String> parsed(String line) {
    List<String> arguments = new ArrayList<>();
    int at = 0;
    while (at < line.length()) {
      StringBuilder argument = new StringBuilder();
      boolean inside = false;
      for (; at < line.length() && (inside || line.charAt(at) != ' '); at++) {
        int backslashes = 0;
        while (at < line.length() && line.charAt(at) == '\\') {
          backslashes++;
          at++;
        }
        boolean quote = at < line.length() && line.charAt(at) == '"';
        argument.repeat('\\', quote ? backslashes / 2 : backslashes);
        if (quote && backslashes % 2 == 0) {
          inside = !inside;
        } else if (at < line.length() && (inside || line.charAt(at) != ' ')) {
          argument.append(line.charAt(at));
        } else {
          break;
        }
      }
      arguments.add(argument.toString());
      at++;
    }
    return arguments;
  }

  private static List<String> received(List<String> arguments) {
    List<String> all = parsed(line(WORDS.program(Path.of("/bin/tool.exe"), arguments)));
    return all.subList(1, all.size());
  }

  @Test
  void aProgramGetsExactlyItsArguments() {
    List<String> hard =
        List.of(
            "a b",
            "",
            "\"",
            "a\"b",
            "\"a b\"",
            "a\\",
            "a b\\",
            "\\\"",
            "a\\\\\"b\\",
            "%PATH%",
            "&|<>^");
    assertThat(received(hard)).isEqualTo(hard);
  }

  @Test
  void randomArgumentsArriveAsTheyAre() {
    Random random = new Random(6);
    String letters = "ab \\\\\"\"\t%&";
    for (int round = 0; round < 5_000; round++) {
      List<String> arguments = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        StringBuilder argument = new StringBuilder();
        for (int j = random.nextInt(8); j > 0; j--) {
          argument.append(letters.charAt(random.nextInt(letters.length())));
        }
        arguments.add(argument.toString());
      }
      assertThat(received(arguments)).isEqualTo(arguments);
    }
  }

  /** Windows ignores dots and spaces at the end of a name; its JDK makes no path of some. */
  private static List<Path> scripts() {
    List<Path> scripts = new ArrayList<>();
    for (String name : List.of("t.bat", "T.CMD", "t.bat.", "t.bat. .", "t.cmd ")) {
      try {
        scripts.add(Path.of("/w", name));
      } catch (InvalidPathException e) {
        assertThat(name).endsWithIgnoringCase(name.stripTrailing().equals(name) ? "." : " ");
      }
    }
    return scripts;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\"&calc&\"b",
        "%PATH%",
        "x^y",
        "l1\nl2",
        "a&b",
        "a|b",
        "<in",
        ">out",
        "!x!",
        "\r",
        "\u001a"
      })
  void whatCmdWouldReadAsMoreThanTextIsRefusedForABatchFile(String argument) {
    for (String script : List.of("t.bat", "T.CMD", "t.bat. .", "t.cmd ")) {
      assertThatThrownBy(
              () -> WORDS.program(Path.of("/w").resolve(script), List.of("ok", argument)))
          .as(script)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("number 2")
          .hasMessageNotContaining(argument.length() > 2 ? argument : "number 3");
    }
  }

  @Test
  void otherArgumentsOfABatchFileAreQuotedInOneLineOfItsShell() {
    Path script = Path.of("/a b/t.bat");
    assertThat(WORDS.program(script, List.of("x", "y z", "c:\\d\\", "p,q;r=s", "")))
        .containsExactly(
            SHELL.toString(),
            "/e:on",
            "/v:off",
            "/d",
            "/s",
            "/c",
            "\"\"" + script + "\" \"x\" \"y z\" \"c:\\d\\\\\" \"p,q;r=s\" \"\"\"");
    assertThatThrownBy(() -> WORDS.program(Path.of("/50%/t.bat"), List.of()))
        .hasMessageContaining("the batch file's path");
  }

  @Test
  void aShellTextStaysAsItIsBetweenTheOuterQuotes() {
    assertThat(WORDS.shell("echo \"a b\" & dir C:\\"))
        .containsExactly(SHELL.toString(), "/d", "/s", "/c", "\"echo \"a b\" & dir C:\\\"");
    assertThatThrownBy(() -> WORDS.shell("echo a\necho b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one line");
  }

  @Test
  void theShellNamedAsAProgramGetsNoQuotes() {
    assertThatThrownBy(() -> WORDS.program(SHELL, List.of("/c", "echo \"x\"")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("number 2");
    assertThatCode(() -> WORDS.program(SHELL, List.of("/c", "dir"))).doesNotThrowAnyException();
  }

  @Test
  void whatAStrictJdkWouldChangeIsRefused() {
    Path tool = Path.of("/bin/tool.exe");
    assertThat(STRICT.program(tool, List.of("a\"b", "a b", "")))
        .containsExactly(tool.toString(), "a\"b", "a b", "");
    for (Runnable refused :
        List.<Runnable>of(
            () -> STRICT.program(tool, List.of("\"a\"")),
            () -> STRICT.program(Path.of("/w/t.bat"), List.of()),
            () -> STRICT.shell("echo \"a\""))) {
      assertThatThrownBy(refused::run)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("allowAmbiguousCommands");
    }
  }
}
