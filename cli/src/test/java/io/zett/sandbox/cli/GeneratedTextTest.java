package io.zett.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratedTextTest {
  @TempDir Path folder;

  @Test
  void completionOffersOptionsAndFiles() throws Exception {
    Path script =
        Files.writeString(folder.resolve("zett.bash"), Spoken.by("completion", "bash").out());
    Files.createFile(folder.resolve("found-by-completion"));
    String ask =
        """
        . ./zett.bash
        compopt() { :; } # works only while the shell itself is asking
        COMP_WORDS=(zett run --mem); COMP_CWORD=2; _complete_zett; echo "${COMPREPLY[@]}"
        COMP_WORDS=(zett run --workspace found); COMP_CWORD=3; _complete_zett; echo "${COMPREPLY[@]}"
        COMP_WORDS=(zett run --home ''); COMP_CWORD=3; _complete_zett; echo "${COMPREPLY[@]}"
        COMP_WORDS=(zett run --policy found); COMP_CWORD=3; _complete_zett; echo "${COMPREPLY[@]}"
        COMP_WORDS=(zett policy ex); COMP_CWORD=2; _complete_zett; echo "${COMPREPLY[@]}"
        COMP_WORDS=(zett policy explain --deny); COMP_CWORD=3; _complete_zett; echo "${COMPREPLY[@]}"
        """;
    assertThat(script).isNotEmptyFile();
    assertThat(output("bash", "-c", ask).lines())
        .containsExactly(
            "--memory --memory-strategy",
            "found-by-completion",
            "host private",
            "found-by-completion",
            "explain",
            "--deny-write --deny-read");
  }

  @Test
  void completionIsThereForTwoShells() {
    assertThat(Spoken.by("completion", "zsh").status()).isZero();
    assertThat(Spoken.by("completion", "fish").status()).isEqualTo(2);
    assertThat(Spoken.by("completion").status()).isEqualTo(2);
  }

  @Test
  void theManualPageHasEveryOptionOfTheCommandLine() {
    String page = Spoken.by("man").out();
    assertThat(page)
        .startsWith(".TH ZETT 1")
        .contains(
            ".SH NAME", "zett run", "zett doctor", "zett batch", "zett mcp", "zett policy explain");
    PolicyOption.ALL.forEach(
        option -> assertThat(page).contains("\\fB" + option.name().replace("-", "\\-") + "\\fR"));
  }

  @Test
  void theManualPageIsFormattedWithoutWarnings() throws Exception {
    Assumptions.assumeTrue(
        Files.exists(Path.of("/usr/bin/groff")),
        "groff is not installed: the page is not rendered");
    Files.writeString(folder.resolve("zett.1"), Spoken.by("man").out());
    String rendered = output("groff", "-man", "-Tascii", "-ww", "-b", "zett.1");
    assertThat(rendered).contains("Runs a program").doesNotContain("warning");
  }

  private String output(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
