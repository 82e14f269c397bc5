package io.zett.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever way a home directory is written, its credentials are hidden. */
class HomeEndToEndTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "/.", "//", "/project/..", "/../home"})
  void credentialsAreHiddenHoweverTheHomeIsWritten(String ending) throws Exception {
    Path home = folder.toRealPath().resolve("home");
    Files.createDirectories(home.resolve("project"));
    Files.createDirectories(home.resolve(".ssh"));
    Files.writeString(home.resolve(".ssh/id_rsa"), "SECRET");
    List<String> words = new ArrayList<>(ZettProcess.command());
    // The folder is made visible, or /tmp itself would hide it.
    words.addAll(List.of("run", "--writable", folder.toRealPath().toString(), "--"));
    words.addAll(List.of("cat", home.resolve(".ssh/id_rsa").toString()));
    try (ZettProcess zett = ZettProcess.start(folder, Map.of("HOME", home + ending), words)) {
      ZettProcess.End end = zett.end();

      assertThat(end.out()).doesNotContain("SECRET");
      assertThat(end.status()).isEqualTo(1);
    }
  }

  @Test
  void aReaderThatLeavesTheErrorStreamEndsTheCommand() throws Exception {
    try (ZettProcess zett =
        ZettProcess.shell(folder, "\"$@\" run -c 'yes >&2' 2>&1 >/dev/null | head -1")) {
      assertThat(zett.end().out()).isEqualTo("y\n");
    }
  }
}
