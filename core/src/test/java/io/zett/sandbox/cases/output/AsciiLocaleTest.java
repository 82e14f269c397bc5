package io.zett.sandbox.cases.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.cases.outside.ChildJvm;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** I10: the locale of the JVM changes nothing of what a command gets. */
class AsciiLocaleTest {
  private static final String BYTES = "68c3a9e6bca2";

  @TempDir Path base;

  @ParameterizedTest
  @ValueSource(strings = {"C", "POSIX"})
  void anAsciiLocaleChangesNoArgumentTextPathOrVariable(String locale) throws IOException {
    Path temporary = Files.createDirectory(base.resolve("tmp"));
    // The child makes the directory's name from its URI; this JVM may have an ASCII locale as well.
    Path workspace = Path.of(URI.create(base.toUri() + "h%C3%A9%E6%BC%A2"));
    Files.createDirectory(workspace);
    try (ChildJvm child =
        ChildJvm.of(AsciiLocale.class)
            .temporary(temporary)
            .env("LC_ALL", locale)
            .start(workspace.toUri().toString())) {
      List<String> lines = child.lines();
      assertThat(lines).first().isEqualTo("ANSI_X3.4-1968");
      assertThat(lines.subList(1, lines.size() - 1)).isEqualTo(Collections.nCopies(6, BYTES));
      assertThat(lines).last().isEqualTo("refused");
      assertThat(child.await()).isZero();
    }
  }
}
