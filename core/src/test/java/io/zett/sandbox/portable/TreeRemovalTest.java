package io.zett.sandbox.portable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session's directory goes, and nothing that it leads to. */
class TreeRemovalTest {
  @TempDir Path base;

  @BeforeEach
  void unix() {
    assumeTrue(
        FileSystems.getDefault().supportedFileAttributeViews().contains("posix"),
        "links and permissions are those of a Unix");
  }

  @Test
  void linksAreDeletedAndNotFollowed() throws IOException {
    Path kept = Files.createDirectory(base.resolve("kept"));
    Files.writeString(kept.resolve("file"), "kept");
    PrivateTree tree = PrivateTree.create(base);
    Files.createSymbolicLink(tree.directory().resolve("link"), kept);
    Files.createSymbolicLink(tree.directory().resolve("broken"), base.resolve("missing"));
    tree.close();
    tree.close();

    assertThat(base).isDirectoryNotContaining(path -> !path.equals(kept));
    assertThat(kept.resolve("file")).hasContent("kept");
  }

  @Test
  void whatACommandHasClosedIsOpenedAgain() throws IOException {
    PrivateTree tree = PrivateTree.create(base);
    Path closed = Files.createDirectories(tree.directory().resolve("a/b"));
    Path file = Files.writeString(closed.resolve("file"), "x");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    tree.close();

    assertThat(base).isEmptyDirectory();
  }

  @Test
  void whatADeadProcessLeftIsSweptAndALivingSessionsIsNot() throws IOException {
    PrivateTree living = PrivateTree.create(base);
    Path dead = Files.createDirectory(base.resolve("zett-session-dead"));
    Files.writeString(dead.resolve("file"), "x");
    Path lock = Files.createFile(base.resolve("zett-session-dead.1.lock"));
    try (FileChannel held = FileChannel.open(lock, StandardOpenOption.WRITE)) {
      held.lock();
      living.sweep();
      assertThat(dead).exists();
    }
    living.sweep();

    assertThat(dead).doesNotExist();
    assertThat(lock).doesNotExist();
    assertThat(living.directory()).exists();
    living.close();
    assertThat(base).isEmptyDirectory();
  }
}
