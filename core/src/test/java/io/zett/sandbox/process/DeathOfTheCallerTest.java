package io.zett.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.process.Commands.Launch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A JVM that is killed runs no hooks; its commands end all the same. */
@Timeout(60)
class DeathOfTheCallerTest {

  /** Runs a command until it is killed. */
  static final class Caller {
    public static void main(String[] arguments) {
      try (Commands commands = new Commands()) {
        String text = "(setsid sleep 88" + arguments[1] + " &) ; sleep 89" + arguments[1];
        Supervisor supervisor =
            commands.shell(Launch.valueOf(arguments[0]), text).timeout(Duration.ofHours(1)).start();
        supervisor.ending().join();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingOfACommandOutlivesAKilledJvm(Launch launch) throws Exception {
    String mark = String.valueOf(System.nanoTime());
    Process jvm =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    classPath(),
                    Caller.class.getName(),
                    launch.name(),
                    mark))
            .inheritIO()
            .start();
    try {
      awaitRunning("88" + mark, true);
      awaitRunning("89" + mark, true);
    } finally {
      jvm.destroyForcibly();
    }
    assertThat(jvm.waitFor(10, TimeUnit.SECONDS)).isTrue();
    awaitRunning("88" + mark, false);
    awaitRunning("89" + mark, false);
  }

  private static String classPath() {
    String modules = System.getProperty("jdk.module.path");
    String classes =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return modules == null ? classes : classes + ":" + modules;
  }

  private static void awaitRunning(String mark, boolean expected) {
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (Commands.isRunning("sleep\0" + mark) != expected) {
      assertThat(System.nanoTime()).as("sleep " + mark + " still " + !expected).isLessThan(end);
      LockSupport.parkNanos(20_000_000); // other processes' ends are not told to us
    }
  }
}
