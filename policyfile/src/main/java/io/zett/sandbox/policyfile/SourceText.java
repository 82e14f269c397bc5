package io.zett.sandbox.policyfile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * The text of a policy.
 *
 * @param name what messages call it
 * @param text without a byte-order mark
 */
record SourceText(String name, String text) {
  static final int MOST_BYTES = 1 << 20;

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  /**
   * Reads a file; also one without an end ends at the bound.
   *
   * @throws PolicyFileException if it is too large or no UTF-8 text
   */
  static SourceText of(Path file) throws IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MOST_BYTES + 1);
    }
    String name = file.toString();
    if (bytes.length > MOST_BYTES) {
      throw tooLong(name);
    }
    return checked(name, decoded(name, bytes));
  }

  /**
   * A text that is there already.
   *
   * @throws PolicyFileException if it is too long or holds what no text file does
   */
  static SourceText of(String name, String text) {
    if (text.length() > MOST_BYTES) {
      throw tooLong(name);
    }
    return checked(name, text);
  }

  /** The place of a mark; without one, the beginning. */
  Position at(Optional<Mark> mark) {
    return mark.map(found -> new Position(name, found.getLine() + 1, found.getColumn() + 1))
        .orElseGet(() -> new Position(name, 1, 1));
  }

  private static PolicyFileException tooLong(String name) {
    return new Position(name, 1, 1)
        .refuse("this is longer than 1 MiB, which no policy needs; is it another file?");
  }

  private static String decoded(String name, byte[] bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    CharBuffer text = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), text, true);
    text.flip();
    if (result.isError()) {
      throw end(name, text).refuse("a byte here is not UTF-8; save the file as UTF-8");
    }
    return text.toString();
  }

  private static SourceText checked(String name, String text) {
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      int found = text.codePointAt(i);
      if (!StreamReader.isPrintable(found)) {
        throw end(name, text.substring(0, i))
            .refuse(
                (found == 0 ? "a NUL character" : "the character U+%04X".formatted(found))
                    + ", which stands in no YAML text");
      }
    }
    boolean marked = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK;
    return new SourceText(name, marked ? text.substring(1) : text);
  }

  /** The place right after a text. */
  private static Position end(String name, CharSequence before) {
    String text = before.toString();
    int line = (int) text.chars().filter(c -> c == '\n').count() + 1;
    int column = text.codePointCount(text.lastIndexOf('\n') + 1, text.length()) + 1;
    return new Position(name, line, column);
  }
}
