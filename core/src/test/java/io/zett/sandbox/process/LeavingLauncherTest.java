package io.zett.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.Commands.Launch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Launchers that are still there when everything in their sandbox is dead. */
@Timeout(60)
class LeavingLauncherTest {
  @TempDir private Path folder;

  private final Commands commands = new Commands();
  private Path slow;

  @BeforeEach
  void makeOneThatStays() throws Exception {
    slow = folder.resolve("launcher-that-stays-" + System.nanoTime());
    Path never = folder.resolve("never");
    new ProcessBuilder("mkfifo", never.toString()).inheritIO().start().waitFor();
    String script = "#!/bin/sh\n/usr/bin/bwrap \"$@\"\nread _ <>" + never + "\n";
    Files.writeString(slow, script);
    Files.setPosixFilePermissions(slow, PosixFilePermissions.fromString("rwx------"));
  }

  @AfterEach
  void nothingIsLeft() {
    commands.close();
    commands.assertNothingRuns();
    assertThat(isThere()).isFalse();
  }

  @Test
  void theResultDoesNotWaitForThem() {
    var done = slowly("echo out; exit 7").run();
    assertThat(done.code()).isEqualTo(7);
    assertThat(done.out()).isEqualTo("out\n");
    assertThat(isThere()).isTrue();
  }

  @Test
  void oneThatDoesNotGoIsKilledAndWhoWaitsForItIsTold() {
    List<String> before = Commands.descriptors();
    assertThat(slowly("true").run().code()).isZero();
    commands.loop.awaitLeaving();
    assertThat(isThere()).isFalse();
    assertThat(Commands.descriptors()).hasSameSizeAs(before);
  }

  @Test
  void closingTheLoopKillsThemAtOnce() {
    assertThat(slowly("true").run().code()).isZero();
    long begin = System.nanoTime();
    commands.loop.close();
    assertThat(isThere()).isFalse();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Parts.LONG_GRACE);
  }

  @Test
  void whatIsEndedWaitsForThem() {
    var late = slowly("sleep 100").timeout(Duration.ofMillis(100)).run();
    assertThat(late.ending().how()).isEqualTo(new Ending.TimedOut());
    assertThat(isThere()).isFalse();
  }

  @Test
  void whoWaitsWithoutOneGoesOnAtOnce() {
    assertThat(commands.shell(Launch.BUBBLEWRAP, "true").run().code()).isZero();
    commands.loop.awaitLeaving();
    commands.loop.close();
    commands.loop.awaitLeaving();
  }

  private Commands.Builder slowly(String text) {
    var command = commands.shell(Launch.BUBBLEWRAP, text);
    command.launcher = UnixPath.of(slow);
    return command;
  }

  private boolean isThere() {
    return Commands.isRunning(slow.getFileName().toString());
  }
}
