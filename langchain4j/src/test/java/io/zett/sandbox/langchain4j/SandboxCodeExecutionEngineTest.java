package io.zett.sandbox.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.AiServices;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.tools.RunRequest;
import io.zett.sandbox.tools.SandboxTools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SandboxCodeExecutionEngineTest {
  private final SandboxSession session = SandboxSession.builder().memory("1GB").open();
  private final SandboxTools tools =
      SandboxTools.builder(session).defaultTimeout(Duration.ofSeconds(60)).build();

  @AfterEach
  void close() {
    tools.close();
    session.close();
  }

  private String run(CodeLanguage language, String code) {
    return SandboxCodeExecutionEngine.of(tools, language).execute(code);
  }

  private void needs(String program) {
    assumeTrue(
        !tools.run(RunRequest.shell("command -v " + program)).failed(),
        program + " is not installed");
  }

  @Test
  void pythonAnswersWithItsOutput() throws Exception {
    needs("python3");
    assertThat(
            run(
                CodeLanguage.PYTHON,
                """
                import pathlib, sys
                pathlib.Path("out.txt").write_text("kept ü")
                print(6 * 7, repr(sys.stdin.read()))
                """))
        .isEqualTo("42 ''\n");
    assertThat(session.files().readString("out.txt")).isEqualTo("kept ü");
    assertThat(session.files().list(".").entries()).hasSize(1);
  }

  @Test
  void javascriptAndJavaAndShellAnswerWithTheirOutput() {
    assertThat(run(CodeLanguage.SHELL, "echo $((6 * 7))")).isEqualTo("42\n");
    assertThat(
            run(
                CodeLanguage.JAVA,
                "class Sum { static int of(int a, int b) { return a + b; } }\n"
                    + "void main() { System.out.println(Sum.of(40, 2)); }"))
        .contains("42\n");
    needs("node");
    assertThat(run(CodeLanguage.JAVASCRIPT, "console.log([20, 22].reduce((a, b) => a + b))"))
        .isEqualTo("42\n");
  }

  @Test
  void codeThatFailsAnswersWithWhatAModelNeedsToMendIt() {
    assertThat(run(CodeLanguage.SHELL, "echo before; echo why >&2; exit 3"))
        .isEqualTo("before\nwhy\n[exit code 3]");
    assertThat(run(CodeLanguage.SHELL, "printf a; kill -9 $$")).isEqualTo("a\n[ended by signal 9]");
    assertThat(run(CodeLanguage.JAVA, "void main() { return 1; }"))
        .contains("Main.java:1", "[exit code 1]");
    needs("python3");
    assertThat(run(CodeLanguage.PYTHON, "print('x')\n1 / 0"))
        .startsWith("x\n")
        .contains("main.py\", line 2", "ZeroDivisionError")
        .endsWith("[exit code 1]");
    assertThat(run(CodeLanguage.PYTHON, "a = bytearray(3_000_000_000)\nprint(len(a))"))
        .doesNotContain("3000000000")
        .endsWith("]");
  }

  @Test
  void codeIsEndedAfterItsTime() {
    try (var hasty = SandboxTools.builder(session).defaultTimeout(Duration.ofMillis(300)).build()) {
      assertThat(
              SandboxCodeExecutionEngine.of(hasty, CodeLanguage.SHELL)
                  .execute("echo begun; sleep 1000"))
          .isEqualTo("begun\n[ended because it ran longer than it may]");
    }
  }

  @Test
  void longOutputKeepsItsEnd() {
    try (var brief = SandboxTools.builder(session).tailCharacters(100).build()) {
      assertThat(
              SandboxCodeExecutionEngine.of(brief, CodeLanguage.SHELL)
                  .execute("head -c 1000 /dev/zero | tr '\\0' a; echo end"))
          .startsWith("[the first 904 of 1004 bytes are left out]\naaa")
          .endsWith("aaaend\n");
    }
  }

  @Test
  void anotherProgramRunsTheCode() {
    assertThat(
            SandboxCodeExecutionEngine.of(tools, "numbers.txt", List.of("sort", "-n"))
                .execute("10\n9\n"))
        .isEqualTo("9\n10\n");
    assertThat(SandboxCodeExecutionEngine.of(tools, "x", List.of("no-such-program")).execute("x"))
        .contains("no-such-program")
        .endsWith("[exit code 127]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SandboxCodeExecutionEngine.of(tools, "a/b", List.of("cat")))
        .withMessageContaining("a/b");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SandboxCodeExecutionEngine.of(tools, "a", List.of()))
        .withMessageContaining("program");
  }

  @Test
  void hostileCodeGetsNothingOut() throws Exception {
    Path outside = Host.outside();
    Path key = Host.key("SECRET");
    String answer =
        run(
            CodeLanguage.SHELL,
            "cat '" + key + "' /etc/shadow; echo x > '" + outside.resolve("new") + "'");
    assertThat(answer).doesNotContain("SECRET", "root:").contains("[exit code ");
    assertThat(outside.resolve("new")).doesNotExist();
    assertThat(Files.readString(key)).isEqualTo("SECRET");
  }

  @Test
  void aClosedSandboxSaysSo() {
    session.close();
    assertThat(run(CodeLanguage.SHELL, "true")).startsWith("[the code was not run: ");
  }

  /** A tool of an application that hands code to an engine. */
  public static final class Calculator {
    private final SandboxCodeExecutionEngine engine;

    Calculator(SandboxCodeExecutionEngine engine) {
      this.engine = engine;
    }

    @Tool("Runs shell code and gives its output")
    String calculate(String code) {
      return engine.execute(code);
    }
  }

  @Test
  void aToolOfTheApplicationUsesAnEngine() {
    ScriptedModel model =
        new ScriptedModel().calls("calculate", "{\"code\": \"expr 6 \\\\* 7\"}").says("42");
    AiServices.builder(SandboxToolProviderTest.Assistant.class)
        .chatModel(model)
        .tools(new Calculator(SandboxCodeExecutionEngine.of(tools, CodeLanguage.SHELL)))
        .build()
        .chat("six times seven");
    assertThat(model.results().get(0).text()).isEqualTo("42\n");
  }
}
