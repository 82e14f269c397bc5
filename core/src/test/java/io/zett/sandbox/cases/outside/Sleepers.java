package io.zett.sandbox.cases.outside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Processes that are known from outside by an argument nobody else has: {@code sleep} with a number
 * of its own.
 */
public final class Sleepers {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final String argument =
      "6%02d.%015d".formatted(RANDOM.nextInt(100), RANDOM.nextLong(1_000_000_000_000_000L));

  /** The argument: a number of about ten minutes, which {@code sleep} takes. */
  public String argument() {
    return argument;
  }

  /** The shell text of one of them. */
  public String sleep() {
    return "sleep " + argument;
  }

  /** Those that have the argument and are no zombies; shells whose text names it are among them. */
  public List<Long> alive() {
    return all(line -> line.contains(argument));
  }

  /** Those that sleep. */
  public List<Long> sleeping() {
    return all(line -> line.startsWith("sleep\0" + argument));
  }

  private static List<Long> all(Predicate<String> wanted) {
    List<Long> found = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
      for (Path process : processes) {
        if (wanted.test(commandLine(process))) {
          found.add(Long.valueOf(process.getFileName().toString()));
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return found;
  }

  private static String commandLine(Path process) {
    try {
      return new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return ""; // gone
    }
  }

  /** Waits until so many sleep. */
  public void awaitCount(int count) {
    Eventually.within(
        Duration.ofSeconds(60),
        () -> count + " sleep, not " + sleeping(),
        () -> sleeping().size() == count);
  }

  /** Waits until one sleeps, at least. */
  public void awaitFirst() {
    Eventually.within(Duration.ofSeconds(60), () -> "none sleeps", () -> !sleeping().isEmpty());
  }

  /** None may be left now. */
  public void assertNone() {
    assertThat(alive()).as("processes with %s", argument).isEmpty();
  }

  /** None may be left after a moment, where nobody could wait for them. */
  public void assertNoneSoon() {
    Eventually.within(
        Duration.ofSeconds(20), "no process with " + argument, () -> alive().isEmpty());
  }
}
