package io.zett.sandbox.cases.output;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Sandboxed;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** I03, I04: bytes stay bytes, and characters are whole. */
class CharactersTest {

  @Test
  void charactersAcrossTheBordersOfBuffersAreWhole() {
    String text = "a" + "漢".repeat(20_000) + "😀".repeat(20_000);
    try (SandboxSession session = Sandboxed.session()) {
      SandboxResult result = session.run(SandboxCommand.of("cat").input(text));
      assertThat(result.stdout()).isEqualTo(text);
      assertThat(result.stdoutBytes()).isEqualTo(text.getBytes(UTF_8));
    }
  }

  @Test
  void charactersThatAreWrittenByteByByteAreWhole() {
    try (SandboxSession session = Sandboxed.session()) {
      SandboxResult result =
          session.run(
              "i=0; while [ $i -lt 200 ]; do printf '\\346'; printf '\\274'; printf '\\242';"
                  + " i=$((i+1)); done");
      assertThat(result.stdout()).isEqualTo("漢".repeat(200));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 998, 999, 1000, 1001})
  void aCapInTheMiddleOfACharacterCutsTheTextBeforeItAndTheBytesExactly(int cap) {
    byte[] bytes = "漢".repeat(500).getBytes(UTF_8);
    try (SandboxSession session = Sandboxed.session()) {
      SandboxResult result = session.run(SandboxCommand.of("cat").input(bytes).maxOutputBytes(cap));
      assertThat(result.stdout()).isEqualTo("漢".repeat(cap / 3));
      assertThat(result.stdoutBytes()).isEqualTo(Arrays.copyOf(bytes, cap));
    }
  }

  @Test
  void bytesThatAreNoTextAreKeptAndReplacedInTheText() {
    byte[] bytes = new byte[100_000];
    new Random(4).nextBytes(bytes);
    try (SandboxSession session = Sandboxed.session()) {
      SandboxResult result =
          session.run(
              SandboxCommand.shell("cat; printf '\\377\\376\\0x' >&2; exit 0").input(bytes));
      assertThat(result.exitCode()).isZero();
      assertThat(result.stdoutBytes()).isEqualTo(bytes);
      assertThat(result.stdout()).isEqualTo(new String(bytes, UTF_8));
      assertThat(result.stdout(ISO_8859_1).getBytes(ISO_8859_1)).isEqualTo(bytes);
      assertThat(result.stderrBytes()).isEqualTo(new byte[] {-1, -2, 0, 'x'});
      assertThat(result.stderr()).isEqualTo("\uFFFD\uFFFD\0x");
    }
  }

  @Test
  void theCallerGetsCopies() {
    try (SandboxSession session = Sandboxed.session()) {
      SandboxResult result = session.run("printf abc");
      result.stdoutBytes()[0] = 'X';
      assertThat(result.stdout()).isEqualTo("abc");
    }
  }
}
