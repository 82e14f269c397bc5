package io.zett.sandbox.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The environment of the process that uses the library: the only place that reads it.
 *
 * <p>{@code System.getenv} decodes with the locale's character set, and under {@code LC_ALL=C}
 * turns every letter beyond ASCII into a question mark. Linux gives the bytes themselves
 * (/proc/self/environ, proc(5)). Immutable, thread-safe.
 */
public final class CallerEnvironment {
  private static final CallerEnvironment INSTANCE = read();

  private final Map<String, String> variables;
  private final Map<String, byte[]> bytes;

  private CallerEnvironment(Map<String, String> variables, Map<String, byte[]> bytes) {
    this.variables = Collections.unmodifiableMap(variables);
    this.bytes = bytes;
  }

  /** That of this process. */
  public static CallerEnvironment get() {
    return INSTANCE;
  }

  /** All variables whose values are UTF-8. */
  public Map<String, String> variables() {
    return variables;
  }

  /** One of them. */
  public Optional<String> value(String name) {
    return Optional.ofNullable(variables.get(name));
  }

  /** The bytes of one of them, whether they are text or not. */
  public Optional<byte[]> bytes(String name) {
    byte[] value = bytes.get(name);
    return value == null
        ? value(name).map(text -> text.getBytes(StandardCharsets.UTF_8))
        : Optional.of(value.clone());
  }

  private static CallerEnvironment read() {
    try {
      byte[] block = Files.readAllBytes(Path.of("/proc/self/environ"));
      Map<String, String> parsed = parse(block);
      if (!parsed.isEmpty()) {
        return new CallerEnvironment(parsed, undecoded(block));
      }
    } catch (IOException | RuntimeException e) {
      // No proc file system, or one that hides us: fall through to what the JDK decoded.
    }
    return new CallerEnvironment(new LinkedHashMap<>(System.getenv()), Map.of());
  }

  private static Map<String, byte[]> undecoded(byte[] block) {
    Map<String, byte[]> values = new LinkedHashMap<>();
    for (String entry : new String(block, StandardCharsets.ISO_8859_1).split("\0", -1)) {
      int equals = entry.indexOf('=');
      if (equals > 0) {
        values.putIfAbsent(
            entry.substring(0, equals),
            entry.substring(equals + 1).getBytes(StandardCharsets.ISO_8859_1));
      }
    }
    return values;
  }

  /** A value that is no UTF-8 is left out: a text that differs from the original would be a lie. */
  static Map<String, String> parse(byte[] block) {
    Map<String, String> parsed = new LinkedHashMap<>();
    int start = 0;
    for (int i = 0; i <= block.length; i++) {
      if (i < block.length && block[i] != 0) {
        continue;
      }
      decode(ByteBuffer.wrap(block, start, i - start))
          .ifPresent(
              entry -> {
                int equals = entry.indexOf('=');
                if (equals > 0) {
                  parsed.putIfAbsent(entry.substring(0, equals), entry.substring(equals + 1));
                }
              });
      start = i + 1;
    }
    return parsed;
  }

  private static Optional<String> decode(ByteBuffer bytes) {
    try {
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
