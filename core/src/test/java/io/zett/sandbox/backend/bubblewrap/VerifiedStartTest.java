package io.zett.sandbox.backend.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.backend.Launch;
import io.zett.sandbox.host.MountCheck;
import io.zett.sandbox.host.MountVerifier;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check of a finished sandbox, from outside, while nothing of the command runs. */
class VerifiedStartTest {

  private static final Posix POSIX = Posix.system();

  @TempDir Path temp;

  @Test
  void aSandboxAsPlannedPassesAndAnyOtherDoesNot() throws Exception {
    Path base = Trial.directories(temp.toRealPath());
    Path workspace = base.resolve("W");
    Trial.write(workspace.resolve("a b/key"), "SECRET");
    Files.createDirectories(workspace.resolve("other"));
    Trial trial = new Trial(base, policy -> policy.denyRead(workspace.resolve("a b/key")));
    Launch launch = trial.prepare();
    Process waiting = trial.startWaiting(launch);
    try {
      int pid = trial.firstProcess(waiting);
      new MountVerifier(POSIX, launch.checks()).verify(pid);

      UnixPath pinned = UnixPath.of(workspace.resolve("a b"));
      refused(pid, MountCheck.present(UnixPath.of(workspace.resolve("other"))), "not mounted");
      refused(
          pid,
          MountCheck.of(pinned, POSIX.lstat(UnixPath.of(workspace.resolve("other")))),
          "replaced");
      refused(pid, MountCheck.sameAs(pinned, UnixPath.of(base.resolve("H"))), "replaced");
      // The host moves the directory: the mount is elsewhere now, under another name.
      Files.move(workspace.resolve("a b"), workspace.resolve("moved"));
      assertThatThrownBy(() -> new MountVerifier(POSIX, launch.checks()).verify(pid))
          .isInstanceOf(SandboxSetupException.class);
    } finally {
      waiting.destroyForcibly().waitFor();
    }
  }

  private static void refused(int pid, MountCheck check, String why) {
    assertThatThrownBy(() -> new MountVerifier(POSIX, List.of(check)).verify(pid))
        .isInstanceOf(SandboxSetupException.class)
        .hasMessageContaining(why);
  }

  @Test
  void aProcessThatIsGoneIsNoSandbox() {
    assertThatThrownBy(() -> new MountVerifier(POSIX, List.of()).verify(0x3fffff))
        .isInstanceOf(SandboxSetupException.class);
    assertThat(MountCheck.present(UnixPath.ROOT).identity()).isNull();
  }
}
