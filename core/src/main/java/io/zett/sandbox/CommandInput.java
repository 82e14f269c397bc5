package io.zett.sandbox;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a command reads on its standard input. No {@code toString} shows any of it. */
public sealed interface CommandInput {

  /**
   * A text, in UTF-8.
   *
   * @param text the text
   */
  record Text(String text) implements CommandInput {
    /**
     * Checks the text.
     *
     * @throws IllegalArgumentException if it holds half of a surrogate pair
     */
    public Text {
      Texts.encodable("input", text);
    }

    /** The text in UTF-8; a new array each time. */
    public byte[] toBytes() {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
      return "Text[" + text.length() + " characters]";
    }
  }

  /** Bytes. */
  final class Bytes implements CommandInput {
    private final byte[] bytes;

    /** Copies the bytes. */
    public Bytes(byte[] bytes) {
      this.bytes = bytes.clone();
    }

    /** A copy of the bytes. */
    public byte[] toBytes() {
      return bytes.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
      return "Bytes[" + bytes.length + "]";
    }
  }

  /**
   * The content of a file, opened by the caller's process when the command starts.
   *
   * @param path the file; absolute
   */
  record File(Path path) implements CommandInput {
    /**
     * Makes the path absolute against the caller's current directory.
     *
     * @throws IllegalArgumentException if it is empty or begins with {@code ~}
     */
    public File {
      path = GivenPath.absolute("input", path);
    }
  }

  /**
   * What a stream gives, read while the command runs and not closed afterwards. It can be read
   * once, so the command that has it is to be run once.
   *
   * @param stream the stream
   */
  record Stream(InputStream stream) implements CommandInput {
    /** Refuses {@code null}. */
    public Stream {
      Objects.requireNonNull(stream, "stream");
    }

    @Override
    public String toString() {
      return "Stream";
    }
  }
}
