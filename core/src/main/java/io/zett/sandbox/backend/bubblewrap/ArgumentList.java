package io.zett.sandbox.backend.bubblewrap;

import io.zett.sandbox.posix.UnixPath;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** bubblewrap's arguments in order. Not thread-safe. */
final class ArgumentList {

  private final List<byte[]> words = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();

  /** An option with its values: text, numbers, or paths, whose bytes stay as they are. */
  ArgumentList add(String option, Object... values) {
    text.append(text.isEmpty() ? "" : option.startsWith("--") ? "\n" : " ").append(option);
    words.add(option.getBytes(StandardCharsets.UTF_8));
    for (Object value : values) {
      text.append(' ').append(value);
      words.add(
          value instanceof UnixPath path
              ? path.bytes()
              : value.toString().getBytes(StandardCharsets.UTF_8));
    }
    return this;
  }

  int size() {
    return words.size();
  }

  /** Each word followed by a NUL, as {@code --args} reads them. */
  byte[] nulSeparated() {
    ByteArrayOutputStream out = new ByteArrayOutputStream(words.size() * 24);
    for (byte[] word : words) {
      out.writeBytes(word);
      out.write(0);
    }
    return out.toByteArray();
  }

  /** One option a line, for people and tests. */
  @Override
  public String toString() {
    return text.toString();
  }
}
