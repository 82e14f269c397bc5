package io.zett.sandbox.cli;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.jr.ob.JSON;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.batch.Job;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One line of the jobs: a JSON object. Unknown keys are refused; nothing is guessed. */
final class JobLine {
  private static final List<String> KEYS =
      List.of(
          "id",
          "command",
          "files",
          "input",
          "cwd",
          "env",
          "timeout",
          "memory",
          "cpuSeconds",
          "maxOutputBytes",
          "collect");

  private static final int MOST_DIGITS = 30;
  private static final BigDecimal MOST_SECONDS = BigDecimal.valueOf(9_000_000_000L);

  private static final JSON READER =
      JSON.std
          .with(JSON.Feature.FAIL_ON_DUPLICATE_MAP_KEYS)
          .with(JSON.Feature.USE_BIG_DECIMAL_FOR_FLOATS);

  private final Map<String, Object> members;

  private JobLine(Map<String, Object> members) {
    this.members = members;
  }

  /**
   * The job of a line.
   *
   * @param maxOutputBytes of a job that does not say it
   * @throws IllegalArgumentException if it is none, with the reason
   */
  static Job parse(String line, long maxOutputBytes) {
    Map<String, Object> members;
    try (JsonParser parser = READER.createParser(line)) {
      members = READER.mapFrom(parser);
      if (members == null) {
        throw new IllegalArgumentException("is no JSON object: null");
      }
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("has something after its JSON object");
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("is no JSON object: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new IllegalArgumentException("is no JSON object", e);
    }
    for (String key : members.keySet()) {
      if (!KEYS.contains(key)) {
        throw new IllegalArgumentException(
            "\"" + key + "\" is no key of a job; there are " + String.join(", ", KEYS));
      }
    }
    return new JobLine(members).job(maxOutputBytes);
  }

  private Job job(long maxOutputBytes) {
    Job job = Job.of(required("id", String.class), command(maxOutputBytes));
    for (Map.Entry<?, ?> file : object("files").entrySet()) {
      job = job.file(String.valueOf(file.getKey()), content(file.getKey(), file.getValue()));
    }
    String memory = optional("memory", String.class);
    if (memory != null) {
      job = job.memory(SandboxPolicy.builder().memory(memory).build().memory().orElseThrow());
    }
    Number cpuSeconds = optional("cpuSeconds", Number.class);
    if (cpuSeconds != null) {
      long seconds = whole("cpuSeconds", cpuSeconds);
      job =
          job.cpuSeconds(
              SandboxPolicy.builder().cpuSeconds(seconds).build().cpuSeconds().orElseThrow());
    }
    for (Object path : list("collect")) {
      job = job.collect(text("collect", path));
    }
    return job;
  }

  private SandboxCommand command(long maxOutputBytes) {
    Object given = required("command", Object.class);
    SandboxCommand command =
        switch (given) {
          case String text -> SandboxCommand.shell(text);
          case List<?> words -> {
            List<String> texts = new ArrayList<>();
            words.forEach(word -> texts.add(text("command", word)));
            yield SandboxCommand.of(texts);
          }
          default ->
              throw new IllegalArgumentException(
                  "command: a text for the shell is wanted, or a list of words");
        };
    Number cap = optional("maxOutputBytes", Number.class);
    command = command.maxOutputBytes(cap == null ? maxOutputBytes : whole("maxOutputBytes", cap));
    String input = optional("input", String.class);
    command = input == null ? command : command.input(input);
    String cwd = optional("cwd", String.class);
    try {
      command = cwd == null ? command : command.cwd(Path.of(cwd));
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("cwd: is no path", e);
    }
    Number timeout = optional("timeout", Number.class);
    if (timeout != null) {
      command = command.timeout(seconds(timeout));
    }
    for (Map.Entry<?, ?> variable : object("env").entrySet()) {
      command = command.env(String.valueOf(variable.getKey()), text("env", variable.getValue()));
    }
    return command;
  }

  private static byte[] content(Object path, @Nullable Object value) {
    if (value instanceof String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    if (value instanceof Map<?, ?> map
        && map.size() == 1
        && map.get("base64") instanceof String encoded) {
      try {
        return Base64.getDecoder().decode(encoded);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("files: \"" + path + "\": is no base64", e);
      }
    }
    throw new IllegalArgumentException(
        "files: \"" + path + "\": a text is wanted, or {\"base64\": \"…\"}");
  }

  private <T> T required(String key, Class<T> type) {
    T value = optional(key, type);
    if (value == null) {
      throw new IllegalArgumentException(key + ": is missing");
    }
    return value;
  }

  private <T> @Nullable T optional(String key, Class<T> type) {
    Object value = members.get(key);
    if (value != null && !type.isInstance(value)) {
      throw new IllegalArgumentException(
          key + ": a " + (type.equals(Number.class) ? "number" : "text") + " is wanted");
    }
    return type.cast(value);
  }

  private Map<?, ?> object(String key) {
    Object value = members.get(key);
    if (value == null) {
      return Map.of();
    }
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw new IllegalArgumentException(key + ": an object is wanted");
  }

  private List<?> list(String key) {
    Object value = members.get(key);
    if (value == null) {
      return List.of();
    }
    if (value instanceof List<?> list) {
      return list;
    }
    throw new IllegalArgumentException(key + ": a list is wanted");
  }

  private static String text(String key, @Nullable Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException(key + ": a text is wanted in it");
  }

  /** A number with a large exponent is not written out to find that it is none of seconds. */
  private static Duration seconds(Number number) {
    BigDecimal seconds = new BigDecimal(number.toString());
    boolean fits =
        seconds.signum() > 0
            && Math.abs((long) seconds.scale()) <= MOST_DIGITS
            && seconds.precision() <= MOST_DIGITS
            && seconds.compareTo(MOST_SECONDS) <= 0;
    Duration duration = fits ? Duration.ofNanos(seconds.movePointRight(9).longValue()) : null;
    if (duration == null || duration.isZero()) {
      throw new IllegalArgumentException(
          "timeout: " + number + " is no time; give seconds from 0.000000001 to " + MOST_SECONDS);
    }
    return duration;
  }

  private static long whole(String key, Number number) {
    try {
      BigDecimal exact = new BigDecimal(number.toString());
      if (Math.abs((long) exact.scale()) > MOST_DIGITS) {
        throw new ArithmeticException("too large an exponent");
      }
      return exact.longValueExact();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          key + ": " + number + " is no whole number, or too large", e);
    }
  }
}
