package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.SandboxSetupException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the sandbox could not do and what the command did are never taken for each other. */
class SetupOrCommandTest {

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  @Test
  void aCommandThatSpeaksLikeTheLauncherIsACommand() {
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result = session.run("echo 'bwrap: Creating new namespace failed' >&2; exit 1");

      assertThat(result.outcome()).isEqualTo(new Outcome.Exited(1));
      assertThat(result.stderr()).isEqualTo("bwrap: Creating new namespace failed\n");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 125, 126, 127, 128, 137, 139, 143, 255})
  void everyExitStatusIsTheCommandsOwn(int status) {
    try (SandboxSession session = scene.session().open()) {
      assertThat(session.run("exit " + status).outcome()).isEqualTo(new Outcome.Exited(status));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 6, 9, 11, 13, 15})
  void aSignalIsToldApartFromItsExitStatus(int signal) {
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result = session.run("kill -" + signal + " $$");

      assertThat(result.outcome()).isEqualTo(new Outcome.Signaled(signal));
      assertThat(result.exitCode()).isEqualTo(128 + signal);
    }
  }

  @Test
  void aProgramThatIsMissingOrNoneIsAResult() throws Exception {
    scene.work("plain", "no program");
    Files.createDirectory(scene.workspace.resolve("directory"));
    scene.work("broken", "#!/no/such/interpreter\n").toFile().setExecutable(true);
    try (SandboxSession session = scene.session().open()) {
      assertThat(session.run(List.of("no-such-prog")).exitCode()).isEqualTo(127);
      assertThat(session.run(List.of("/no/such/prog")).exitCode()).isEqualTo(127);
      assertThat(session.run(List.of("no-such-prog")).stderr())
          .contains("no-such-prog", "not found");
      assertThat(session.run(List.of("./plain")).exitCode()).isEqualTo(126);
      assertThat(session.run(List.of("./directory")).exitCode()).isEqualTo(126);
      assertThat(session.run(List.of("./broken")).exitCode()).isBetween(126, 127);
      assertThat(session.run(List.of("true")).exitCode()).isZero();
    }
  }

  @Test
  void aWorkingDirectoryThatIsMissingIsASetupFailure() throws Exception {
    scene.work("file", "");
    try (SandboxSession session = scene.session().open()) {
      for (String at : List.of("missing", "file", "/no/such")) {
        SandboxCommand command = SandboxCommand.of("touch", "ran").cwd(Path.of(at));
        assertThatExceptionOfType(SandboxSetupException.class)
            .isThrownBy(() -> session.run(command))
            .withMessageContaining("directory");
      }
    }
    assertThat(scene.workspace.resolve("ran")).doesNotExist();
  }

  @Test
  void aWorkspaceThatWasRemovedIsNamedAndTheSessionLivesOn() throws Exception {
    try (SandboxSession session = scene.session().open()) {
      Files.delete(scene.workspace);
      assertThatExceptionOfType(SandboxSetupException.class)
          .isThrownBy(() -> session.run("true"))
          .withMessageContaining(scene.workspace.toString());
      Files.createDirectory(scene.workspace);
      assertThat(session.run("echo back > file; cat file").stdout()).isEqualTo("back\n");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bwrap --ro-bind / / true",
        "bwrap --unshare-all --ro-bind / / --proc /proc true",
        "unshare -Ur true",
        "unshare -m true",
        "unshare -n true",
        "unshare -p -f true",
        "nsenter -t 1 -m true",
        "chroot / true"
      })
  void aSandboxInsideFailsCleanlyAndIsTheCommandsOwnFailure(String inner) {
    try (SandboxSession session = scene.session().timeout(Duration.ofSeconds(30)).open()) {
      SandboxResult result = session.run(inner);

      assertThat(result.outcome()).isInstanceOf(Outcome.Exited.class);
      assertThat(result.exitCode()).isBetween(1, 126);
      assertThat(result.stderr()).isNotEmpty();
    }
  }
}
