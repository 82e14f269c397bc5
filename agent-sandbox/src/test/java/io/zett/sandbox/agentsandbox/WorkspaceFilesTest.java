package io.zett.sandbox.agentsandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import io.zett.sandbox.SandboxPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springaicommunity.sandbox.ExecSpec;
import org.springaicommunity.sandbox.FileEntry;
import org.springaicommunity.sandbox.FileType;
import org.springaicommunity.sandbox.SandboxException;
import org.springaicommunity.sandbox.SandboxFiles;

class WorkspaceFilesTest {
  @TempDir Path folder;
  private ZettSandbox sandbox;
  private SandboxFiles files;

  @BeforeEach
  void open() {
    sandbox =
        ZettSandbox.builder()
            .workingDirectory(folder)
            .policy(SandboxPolicy.builder().denyRead(folder.resolve("hidden")).build())
            .build();
    files = sandbox.files();
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  private void run(String text) {
    assertThat(sandbox.exec(ExecSpec.builder().shellCommand(text).build()).exitCode()).isZero();
  }

  @Test
  void aListingHasPathsTypesSizesAndTimes() throws Exception {
    files.create("a/b/c.txt", "three").createDirectory("a/empty").create("z", "");
    run("ln -s /etc a/link; mkfifo a/fifo");
    Instant then = Instant.parse("2001-02-03T04:05:06Z");
    Files.setLastModifiedTime(folder.resolve("a/b/c.txt"), FileTime.from(then));
    List<FileEntry> all = files.list(".", Integer.MAX_VALUE);
    assertThat(all)
        .extracting(FileEntry::path, FileEntry::name, FileEntry::type, FileEntry::size)
        .containsExactly(
            tuple("a", "a", FileType.DIRECTORY, 0L),
            tuple("a/b", "b", FileType.DIRECTORY, 0L),
            tuple("a/b/c.txt", "c.txt", FileType.FILE, 5L),
            tuple("a/empty", "empty", FileType.DIRECTORY, 0L),
            tuple("a/fifo", "fifo", FileType.FILE, 0L),
            tuple("a/link", "link", FileType.FILE, 0L),
            tuple("z", "z", FileType.FILE, 0L));
    assertThat(all.get(2).modifiedTime()).isEqualTo(then);
    assertThat(all).allSatisfy(entry -> assertThat(entry.modifiedTime()).isAfter(Instant.EPOCH));
    assertThat(files.list("a", 1)).extracting(FileEntry::path).hasSize(4).contains("a/b");
    assertThat(files.list("a", 2)).extracting(FileEntry::path).contains("a/b/c.txt");
    assertThat(files.list("a", 0)).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> files.list("a", -1));
    assertThatExceptionOfType(SandboxException.class)
        .isThrownBy(() -> files.list("a/link"))
        .withMessageContaining("link");
  }

  @Test
  void aTreeIsDeletedAndNoLinkIsFollowed(@TempDir Path other) throws Exception {
    Path kept = Files.writeString(other.resolve("kept"), "x");
    files.create("tree/a/b/c", "x").create("tree/d", "x");
    run("ln -s '" + other + "' tree/a/link; mkfifo tree/fifo");
    assertThatExceptionOfType(SandboxException.class)
        .isThrownBy(() -> files.delete("tree"))
        .withMessageContaining("tree");
    files.delete("tree", true);
    assertThat(folder.resolve("tree")).doesNotExist();
    assertThat(kept).exists();
    files.create("single", "x").delete("single", true);
    assertThat(files.exists("single")).isFalse();
    run("ln -s '" + other + "' link");
    files.delete("link", true);
    assertThat(kept).exists();
    assertThatExceptionOfType(SandboxException.class)
        .isThrownBy(() -> files.delete("link", true))
        .withMessage("Path does not exist: link");
  }

  @Test
  void aDeepTreeIsListedAndDeleted() {
    run("for i in $(seq 100); do mkdir d && cd d || exit; done; touch end");
    List<FileEntry> all = files.list(".", Integer.MAX_VALUE);
    assertThat(all).hasSize(101);
    assertThat(all.getLast().name()).isEqualTo("end");
    assertThat(all.getLast().modifiedTime()).isAfter(Instant.EPOCH);
    files.delete("d", true);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aDirectoryIsMadeOnceAndNotOverAFile() {
    files.createDirectory("a/b/c").createDirectory("a/b/c");
    assertThat(folder.resolve("a/b/c")).isEmptyDirectory();
    files.create("f", "x");
    assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> files.createDirectory("f"));
    assertThatExceptionOfType(SandboxException.class)
        .isThrownBy(() -> files.createDirectory(""))
        .withMessageContaining("empty");
  }

  @Test
  void whatThePolicyHidesIsNotThere() throws Exception {
    Files.createDirectory(folder.resolve("hidden"));
    Files.writeString(folder.resolve("hidden/key"), "SECRET");
    assertThat(files.exists("hidden/key")).isFalse();
    assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> files.read("hidden/key"));
    assertThat(files.list(".", 5)).extracting(FileEntry::path).containsExactly("hidden");
    assertThatExceptionOfType(SandboxException.class)
        .isThrownBy(() -> files.delete("hidden", true));
    assertThat(folder.resolve("hidden/key")).exists();
    assertThat(files.and()).isSameAs(sandbox);
  }
}
