package io.zett.sandbox.cases.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.cases.outside.Sandboxed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** F02: what a command does and what its sandbox could not do are told apart. */
class OutcomesTest {
  @TempDir Path temporary;

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void aCommandThatWritesWhatTheLauncherWouldWriteHasExited(SandboxBackend backend) {
    try (SandboxSession session = Sandboxed.session(backend)) {
      SandboxResult result = session.run("echo 'bwrap: Creating new namespace failed' >&2; exit 1");
      assertThat(result.outcome()).isEqualTo(new Outcome.Exited(1));
      assertThat(result.stderr()).isEqualTo("bwrap: Creating new namespace failed\n");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 124, 125, 126, 127, 128, 129, 137, 139, 143, 255})
  void anExitStatusIsWhatTheCommandSaid(int status) {
    try (SandboxSession session = Sandboxed.session()) {
      SandboxResult result = session.run("exit " + status);
      assertThat(result.outcome()).isEqualTo(new Outcome.Exited(status));
      assertThat(result.exitCode()).isEqualTo(status);
      assertThat(result.succeeded()).isEqualTo(status == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 6, 9, 11, 13, 15, 31, 64})
  void aSignalIsToldFromAStatusThatLooksLikeIt(int signal) {
    try (SandboxSession session = Sandboxed.session()) {
      SandboxResult result = session.run("kill -" + signal + " $$; sleep 600");
      assertThat(result.outcome()).isEqualTo(new Outcome.Signaled(signal));
      assertThat(result.exitCode()).isEqualTo(128 + signal);
      assertThat(result.succeeded()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void aProgramThatIsNotFoundOrCannotBeExecutedIsAResult(SandboxBackend backend)
      throws IOException {
    try (SandboxSession session = Sandboxed.session(backend)) {
      Path plain = Files.writeString(session.workspace().resolve("plain"), "no program\n");
      Files.setPosixFilePermissions(plain, PosixFilePermissions.fromString("rw-r--r--"));
      Path odd = Files.writeString(session.workspace().resolve("odd"), "#!/no/such/shell\n");
      Files.setPosixFilePermissions(odd, PosixFilePermissions.fromString("rwxr-xr-x"));
      assertExit(session, 127, "no-such-program", "no-such-program");
      assertExit(session, 127, "no-such-program", "./no-such-program");
      assertExit(session, 127, "no-such-program", "/no/such-program/no-such-program");
      assertExit(session, 126, "plain", "./plain");
      assertExit(session, 126, "/", "/");
      assertExit(session, 126, "odd", "./odd");
    }
  }

  private static void assertExit(SandboxSession session, int status, String word, String program) {
    SandboxResult result = session.run(SandboxCommand.of(program, "argument"));
    assertThat(result.outcome()).as(program).isEqualTo(new Outcome.Exited(status));
    assertThat(result.stderr()).as(program).contains(word).doesNotContain("bwrap");
    assertThat(result.stdout()).isEmpty();
  }

  @Test
  void aScriptWithoutAShebangIsRunByTheShell() throws IOException {
    try (SandboxSession session = Sandboxed.session()) {
      Path script = Files.writeString(session.workspace().resolve("script"), "echo $1; exit 4\n");
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
      SandboxResult result = session.run(SandboxCommand.of("./script", "word"));
      assertThat(result.stdout()).isEqualTo("word\n");
      assertThat(result.exitCode()).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void aDirectoryThatIsMissingOrNoneIsASetupErrorThatNamesItAndNothingRuns(SandboxBackend backend)
      throws IOException {
    try (SandboxSession session = Sandboxed.session(backend)) {
      Path file = Files.createFile(session.workspace().resolve("file"));
      SandboxCommand touch = SandboxCommand.shell("echo >" + session.workspace() + "/ran");
      assertThatThrownBy(() -> session.run(touch.cwd(Path.of("missing"))))
          .isInstanceOfSatisfying(
              SandboxSetupException.class,
              e -> {
                assertThat(e.step()).contains("directory");
                assertThat(e).hasMessageContaining(session.workspace() + "/missing");
              });
      assertThatThrownBy(() -> session.run(touch.cwd(file)))
          .isInstanceOf(SandboxSetupException.class)
          .hasMessageContaining(file.toString());
      assertThat(session.workspace().resolve("ran")).doesNotExist();
      assertThat(session.run("echo again").stdout()).isEqualTo("again\n");
    }
  }

  @Test
  void aWorkspaceThatWasDeletedMeanwhileIsASetupError() throws IOException {
    Path workspace = Files.createDirectory(temporary.resolve("gone"));
    try (SandboxSession session = SandboxSession.builder().workspace(workspace).open()) {
      Files.delete(workspace);
      assertThatThrownBy(() -> session.run("true"))
          .isInstanceOf(SandboxSetupException.class)
          .hasMessageContaining(workspace.toString());
    }
  }
}
