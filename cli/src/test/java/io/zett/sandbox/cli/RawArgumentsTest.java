package io.zett.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RawArgumentsTest {
  @Test
  void lettersThatTheLocaleLostAreReadAgain() {
    byte[] commandLine = "java\0-jar\0zett.jar\0run\0\0h\u00fc\0".getBytes(StandardCharsets.UTF_8);
    assertThat(RawArguments.last(commandLine, List.of("run", "", "h??")))
        .containsExactly("run", "", "h\u00fc");
  }

  @Test
  void bytesThatNoTextCanHoldAreRefused() {
    byte[] commandLine = {'r', 'u', 'n', 0, (byte) 0xff, 0};
    assertThatThrownBy(() -> RawArguments.last(commandLine, List.of("run", "?")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("argument 2");
  }

  @Test
  void plainWordsAreTakenAsTheyAre() {
    assertThat(RawArguments.of(new String[] {"run", "", "ls"})).containsExactly("run", "", "ls");
  }
}
