package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.cases.outside.Possessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where sandboxes meet faults: a policy that makes the library use most of what it has, a workspace
 * with something to hide, and a temporary directory of its own while it is open.
 */
final class FaultGround implements AutoCloseable {
  private static final String TEMPORARY = "java.io.tmpdir";

  final FaultyEngine machine = new FaultyEngine();
  private final Path host;
  private final String commonTemporary = System.getProperty(TEMPORARY);

  FaultGround(Path host) throws IOException {
    this.host = host;
    System.setProperty(TEMPORARY, Files.createDirectory(host.resolve("tmp")).toString());
    open().close(); // what is looked at once in a JVM
  }

  /** A workspace of the host's, whose directory {@code denied} a command does not see. */
  Path workspace() throws IOException {
    return Files.createDirectories(host.resolve("work/denied")).getParent();
  }

  /** A sandbox with a private workspace. */
  Engine open() {
    return machine.open(policy(), null);
  }

  Engine open(Path workspace) {
    return machine.open(policy(), workspace);
  }

  private SandboxPolicy policy() {
    return SandboxPolicy.builder()
        .memory("512MB")
        .processes(64)
        .cpuSeconds(60)
        .cpus(1)
        .denyRead(host.resolve("work/denied"), host.resolve("work/missing"))
        .build();
  }

  /** Nothing but the folder of locks, which stays. */
  void assertNothingTemporary() {
    assertThat(Possessions.entries(host.resolve("tmp")))
        .noneMatch(path -> !path.getFileName().toString().startsWith(".zett-locks-"));
  }

  @Override
  public void close() {
    System.setProperty(TEMPORARY, commonTemporary);
  }
}
