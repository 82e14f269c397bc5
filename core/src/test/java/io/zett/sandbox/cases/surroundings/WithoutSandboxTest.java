package io.zett.sandbox.cases.surroundings;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.HomeMode;
import io.zett.sandbox.Limit;
import io.zett.sandbox.NetworkMode;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** K07: what passthrough takes, what it says of that, and what it gives all the same. */
class WithoutSandboxTest {
  @TempDir Path host;

  private static SandboxSession.Builder passthrough() {
    return SandboxSession.builder().backend(SandboxBackend.PASSTHROUGH);
  }

  @Test
  void optionsThatItCannotKeepAreNotRefusedAndItsReportSaysSo() throws IOException {
    Path secret = Files.writeString(host.resolve("secret"), "read\n");
    SandboxSession.Builder all =
        passthrough()
            .denyRead(secret)
            .denyWrite(host.resolve("kept"))
            .writable(host)
            .network(NetworkMode.NONE)
            .blockUnixSockets(true)
            .protectDeveloperFiles()
            .scratchSize("16MiB")
            .cpus(1)
            .memory("256MiB")
            .processes(100);
    try (SandboxSession session = all.open()) {
      assertThat(session.run("cat " + secret + "; echo > " + host + "/kept").stdout())
          .isEqualTo("read\n");
      assertThat(session.capabilities().isolated()).isFalse();
      assertThat(session.capabilities().enforcement(Limit.SCRATCH_SIZE).level())
          .isEqualTo(Enforcement.Level.NONE);
      assertThat(session.capabilities().toString())
          .startsWith("backend: passthrough (NOT isolated)");
    }
    assertThat(host.resolve("kept")).exists();
  }

  @Test
  void workspaceScratchAndHomeArePrivateAndGoWithTheSession() throws IOException {
    Path workspace;
    Path scratch;
    Path home;
    try (SandboxSession session = passthrough().home(HomeMode.PRIVATE).open()) {
      workspace = session.workspace();
      SandboxResult told = session.run("echo $TMPDIR; echo ~; touch ~/f $TMPDIR/f f; mktemp");
      scratch = Path.of(told.stdout().lines().toList().get(0));
      home = Path.of(told.stdout().lines().toList().get(1));
      assertThat(told.stdout().lines().toList().get(2)).startsWith(scratch + "/");
      for (Path directory : new Path[] {workspace, scratch, home}) {
        assertThat(directory.resolve("f")).exists();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
            .isEqualTo("rwx------");
      }
    }
    assertThat(workspace).doesNotExist();
    assertThat(scratch).doesNotExist();
    assertThat(home).doesNotExist();
  }
}
