package io.zett.sandbox.cases.cleanup;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Sandboxed;
import io.zett.sandbox.cases.outside.Sleepers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** J10: the caller's workspace stays as the commands left it; a private one is nobody else's. */
class OwnWorkspaceTest {
  private static final FileTime OLD = FileTime.fromMillis(1_000_000_000_000L);

  @TempDir Path host;
  private Path workspace;

  @BeforeEach
  void workspace() throws IOException {
    workspace = Files.createDirectory(host.resolve("own"));
    Files.writeString(workspace.resolve("f"), "kept");
    Files.createDirectory(workspace.resolve("empty"));
    Files.setPosixFilePermissions(
        workspace.resolve("empty"), PosixFilePermissions.fromString("---------"));
    Files.createDirectory(workspace.resolve("sub"));
    Files.createSymbolicLink(workspace.resolve("link"), Path.of("f"));
    Files.createSymbolicLink(host.resolve("alias"), workspace);
    Files.setPosixFilePermissions(workspace, PosixFilePermissions.fromString("rwxr-x--x"));
    Files.setLastModifiedTime(workspace, OLD);
  }

  private void assertUntouched() throws IOException {
    PosixFileAttributes attributes = Files.readAttributes(workspace, PosixFileAttributes.class);
    assertThat(attributes.lastModifiedTime()).isEqualTo(OLD);
    assertThat(PosixFilePermissions.toString(attributes.permissions())).isEqualTo("rwxr-x--x");
    assertThat(workspace.resolve("f")).hasContent("kept");
    assertThat(workspace.resolve("empty")).isDirectory();
    assertThat(Files.readSymbolicLink(workspace.resolve("link"))).isEqualTo(Path.of("f"));
    assertThat(workspace.toFile().list()).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"own", "own/", "own/.", "own/sub/..", "alias", "alias/", "alias/."})
  void aGivenWorkspaceIsNeverDeletedHoweverItIsWritten(String name) throws IOException {
    try (SandboxSession session =
        SandboxSession.builder().workspace(Path.of(host + "/" + name)).open()) {
      assertThat(session.workspace()).isEqualTo(workspace.toRealPath());
      assertThat(session.run("pwd; cat f").stdout()).isEqualTo(workspace.toRealPath() + "\nkept");
    }
    assertUntouched();
  }

  @Test
  void aGivenWorkspaceStaysAfterEveryKindOfEnd() throws IOException {
    Sleepers sleepers = new Sleepers();
    SandboxSession session = SandboxSession.builder().workspace(workspace).open();
    session.run(SandboxCommand.of("sleep", sleepers.argument()).timeout(Duration.ofMillis(50)));
    session.run("exit 3");
    session.run("kill -9 $$");
    session.runAsync(sleepers.sleep()).cancel(true);
    session.runAsync(sleepers.sleep());
    session.close();
    sleepers.assertNone();
    assertUntouched();
  }

  @Test
  void whatCommandsLeaveStaysWithItsModesAndTimes() throws IOException {
    try (SandboxSession session = SandboxSession.builder().workspace(workspace).open()) {
      assertThat(
              session
                  .run(
                      "mkdir d; echo x >d/f; chmod 400 d/f; touch -d @1000000000 d/f d; chmod 500"
                          + " d")
                  .stderr())
          .isEmpty();
    }
    PosixFileAttributes directory =
        Files.readAttributes(workspace.resolve("d"), PosixFileAttributes.class);
    assertThat(directory.lastModifiedTime().toMillis()).isEqualTo(1_000_000_000_000L);
    assertThat(PosixFilePermissions.toString(directory.permissions())).isEqualTo("r-x------");
    PosixFileAttributes file =
        Files.readAttributes(workspace.resolve("d/f"), PosixFileAttributes.class);
    assertThat(file.lastModifiedTime().toMillis()).isEqualTo(1_000_000_000_000L);
    assertThat(PosixFilePermissions.toString(file.permissions())).isEqualTo("r--------");
    // The caller's, although a stand-in ran it.
    assertThat(file.owner()).isEqualTo(Files.getOwner(workspace));
    Files.setPosixFilePermissions(
        workspace.resolve("d"), PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void aGivenWorkspaceInsideATemporaryFolderIsTheCallersToo() throws IOException {
    try (SandboxSession outer = Sandboxed.session()) {
      Path inner = Files.createDirectory(outer.workspace().resolve("inner"));
      try (SandboxSession session = SandboxSession.builder().workspace(inner).open()) {
        assertThat(session.run("echo >made").succeeded()).isTrue();
      }
      assertThat(inner.resolve("made")).exists();
    }
  }

  @Test
  void writableDirectoriesAreNeverDeleted() throws IOException {
    Path writable = Files.createDirectory(host.resolve("writable"));
    try (SandboxSession session = SandboxSession.builder().writable(writable).open()) {
      assertThat(session.run("echo x >" + writable + "/made; echo x >here").succeeded()).isTrue();
    }
    assertThat(writable.resolve("made")).hasContent("x\n");
  }

  @Test
  void aPrivateWorkspaceIsNobodyElsesAndGoesAway() throws IOException {
    Set<Path> seen = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      Path own;
      try (SandboxSession session = Sandboxed.session()) {
        own = session.workspace();
        assertThat(seen.add(own)).isTrue();
        assertThat(own).isEqualTo(own.toRealPath()).isEmptyDirectory();
        for (Path path = own; !path.equals(own.getParent().getParent()); path = path.getParent()) {
          PosixFileAttributes attributes = Files.readAttributes(path, PosixFileAttributes.class);
          assertThat(PosixFilePermissions.toString(attributes.permissions()))
              .as(path.toString())
              .isEqualTo("rwx------");
        }
        assertThat(session.run("pwd").stdout()).isEqualTo(own + "\n");
      }
      assertThat(own.getParent()).doesNotExist();
    }
  }
}
