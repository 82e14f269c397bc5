package io.zett.sandbox.cases.cleanup;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Programs;
import io.zett.sandbox.cases.outside.Sandboxed;
import io.zett.sandbox.cases.outside.Sleepers;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** J01, J02: deleting a workspace follows no link, whenever it was put there. */
class LinksTest {
  private static final FileTime OLD = FileTime.fromMillis(1_000_000_000_000L);

  @TempDir Path host;
  private Path keep;
  private Path file;

  @BeforeEach
  void somethingToKeep() throws IOException {
    keep = Files.createDirectory(host.resolve("keep"));
    file = Files.writeString(keep.resolve("f"), "kept");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r-----"));
    Files.setLastModifiedTime(file, OLD);
    Files.setPosixFilePermissions(keep, PosixFilePermissions.fromString("rwxr-x---"));
    Files.setLastModifiedTime(keep, OLD);
  }

  private void assertKept() throws IOException {
    assertThat(file).hasContent("kept");
    assertThat(Files.getLastModifiedTime(file)).isEqualTo(OLD);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("r--r-----");
    assertThat(Files.getLastModifiedTime(keep)).isEqualTo(OLD);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keep)))
        .isEqualTo("rwxr-x---");
  }

  @Test
  void linksThatACommandMadeAreDeletedAndNotFollowed() throws IOException {
    SandboxSession session = Sandboxed.session();
    Path workspace = session.workspace();
    assertThat(
            session
                .run(
                    "ln -s '%1$s' link; ln -s / r; ln -s '%1$s/f' fl; ln -s .. up; ln -s . here;"
                            .formatted(keep)
                        + " ln -s missing dangling; mkdir -p d/d; ln -s '"
                        + keep
                        + "' d/d/link; ln -s loop loop; chmod 0 d/d; chmod 500 d")
                .succeeded())
        .isTrue();
    session.close();
    assertThat(workspace.getParent()).doesNotExist();
    assertKept();
  }

  @Test
  void aWorkspaceThatTheHostReplacedByALinkIsNotFollowed() throws IOException {
    SandboxSession session = Sandboxed.session();
    Path workspace = session.workspace();
    Files.delete(workspace);
    Files.createSymbolicLink(workspace, keep);
    session.close();
    assertThat(workspace.getParent()).doesNotExist();
    assertKept();
  }

  /** An attacker outside of the sandbox, with the caller's rights, swaps while it is deleted. */
  @RepeatedTest(15)
  void aDirectoryThatIsSwappedForALinkWhileItIsDeletedIsNotFollowed() throws Exception {
    SandboxSession session = Sandboxed.session();
    Path workspace = session.workspace();
    for (int i = 0; i < 40; i++) {
      Files.createDirectories(workspace.resolve("d" + i + "/e/f"));
    }
    AtomicBoolean stop = new AtomicBoolean();
    Thread attacker =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!stop.get()) {
                    for (int i = 0; i < 40; i++) {
                      swap(workspace.resolve("d" + i), host.resolve("aside"));
                    }
                  }
                });
    session.close();
    stop.set(true);
    attacker.join();
    assertKept();
    // What the attacker put back after it was deleted is the attacker's.
    Programs.run("rm", "-rf", workspace.getParent().toString(), host.resolve("aside").toString());
  }

  private void swap(Path directory, Path aside) {
    try {
      Files.move(directory, aside);
      Files.createSymbolicLink(directory, keep);
      Files.delete(directory);
      Files.move(aside, directory);
    } catch (IOException gone) {
      // The deletion was faster here.
    }
  }

  @Test
  void aCommandThatStillWritesIsDeadBeforeItsWorkspaceIsDeleted() throws IOException {
    Sleepers sleepers = new Sleepers();
    for (int i = 0; i < 5; i++) {
      SandboxSession session = Sandboxed.session();
      Path workspace = session.workspace();
      session.runAsync(
          "mkdir d; (while :; do mv d d2; ln -s '"
              + keep
              + "' d; rm d; mv d2 d; mkdir -p n/$$/n; done) & "
              + sleepers.sleep());
      sleepers.awaitFirst();
      session.close();
      sleepers.assertNone();
      assertThat(workspace.getParent()).doesNotExist();
    }
    assertKept();
  }

  @Test
  void aHardLinkInTheWorkspaceIsDeletedAndItsFileKept() throws IOException {
    SandboxSession session = Sandboxed.session();
    Path workspace = session.workspace();
    Path other = Files.writeString(host.resolve("other"), "kept");
    try {
      Files.createLink(workspace.resolve("hard"), other);
    } catch (FileSystemException e) {
      Files.copy(other, workspace.resolve("hard")); // another file system: nothing to lose
    }
    Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("---------"));
    session.close();
    assertThat(workspace.getParent()).doesNotExist();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(other)))
        .isEqualTo("---------");
    assertThat(Files.size(other)).isEqualTo(4);
  }
}
