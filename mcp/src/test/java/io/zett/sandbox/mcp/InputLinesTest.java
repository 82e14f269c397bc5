package io.zett.sandbox.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InputLinesTest {
  /** Gives so many bytes at once. */
  private static List<InputLines.Line> lines(String text, int bytes) throws IOException {
    InputStream in =
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
          @Override
          public int read(byte[] chunk, int offset, int length) {
            return super.read(chunk, offset, Math.min(length, bytes));
          }
        };
    InputLines lines = new InputLines(in);
    List<InputLines.Line> all = new ArrayList<>();
    InputLines.Line line;
    while ((line = lines.next()) != null) {
      all.add(line);
    }
    assertThat(lines.next()).isNull();
    return all;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 100})
  void linesAreTheSameHoweverTheyArrive(int bytes) throws IOException {
    assertThat(lines("first\n\nzwei ä€😀\nunfinished", bytes))
        .containsExactly(
            new InputLines.Text("first"),
            new InputLines.Text(""),
            new InputLines.Text("zwei ä€😀"));
    assertThat(lines("", bytes)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 65_536, 1_000_000})
  void aLineThatIsTooLongIsSkippedWithoutTheNext(int bytes) throws IOException {
    String longest = "x".repeat(InputLines.MOST_BYTES);
    assertThat(lines(longest + "\n" + longest + "x\nnext\n", bytes))
        .containsExactly(
            new InputLines.Text(longest), new InputLines.TooLong(), new InputLines.Text("next"));
  }
}
