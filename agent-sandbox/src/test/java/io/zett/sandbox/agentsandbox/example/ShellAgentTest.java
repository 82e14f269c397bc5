package io.zett.sandbox.agentsandbox.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of docs/agents.md. */
class ShellAgentTest {

  @Test
  void theProjectIsMended(@TempDir Path project) throws Exception {
    Files.writeString(project.resolve("sum.sh"), "echo $(($1 - $2))\n");
    Files.writeString(project.resolve("test.sh"), "test \"$(sh sum.sh 40 2)\" = 42\n");
    Deque<String> script =
        new ArrayDeque<>(
            List.of(
                "$ sh test.sh",
                "$ cat sum.sh",
                "$ sed -i s/-/+/ sum.sh",
                "$ sh test.sh",
                "It subtracted."));
    List<String> heard = new ArrayList<>();
    String said =
        ShellAgent.run(
            text -> {
              heard.add(text);
              return script.remove();
            },
            project,
            "The sum is wrong.");
    assertThat(said).isEqualTo("It subtracted.");
    assertThat(heard)
        .containsExactly(
            "The sum is wrong.",
            "[exit code 1]",
            "echo $(($1 - $2))\n[exit code 0]",
            "[exit code 0]",
            "[exit code 0]");
    assertThat(project.resolve("sum.sh")).hasContent("echo $(($1 + $2))");
  }
}
