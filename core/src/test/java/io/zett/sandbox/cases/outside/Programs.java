package io.zett.sandbox.cases.outside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs of this machine, outside of every sandbox. */
public final class Programs {
  private Programs() {}

  /** Runs one that must succeed; what it says. */
  public static String run(String... command) {
    Result result = tried(command);
    assertThat(result.status()).as("%s: %s", List.of(command), result.output()).isZero();
    return result.output();
  }

  /** An exit status and everything that was said. */
  public record Result(int status, String output) {}

  /** Runs one. */
  public static Result tried(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return new Result(process.exitValue(), output);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(String.join(" ", command), e);
    }
  }

  /** Whether this JVM runs as root. */
  public static boolean isRoot() {
    return run("id", "-u").strip().equals("0");
  }
}
