package io.zett.sandbox.cases.files;

import static io.zett.sandbox.cases.files.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxFileException.Reason;
import io.zett.sandbox.SandboxFiles;
import io.zett.sandbox.SandboxFiles.Entry;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The policy holds for the host program's tools as for commands. */
class PolicyTest {
  @TempDir Path project;

  @BeforeEach
  void plant() throws IOException {
    Files.createDirectories(project.resolve("conf"));
    Files.createDirectories(project.resolve("fixed/open"));
    Files.createDirectories(project.resolve(".git/hooks"));
    Files.writeString(project.resolve(".git/HEAD"), "ref: refs/heads/main\n");
    Files.writeString(project.resolve("conf/key"), "SECRET");
    Files.writeString(project.resolve("fixed/file"), "fixed");
  }

  @Test
  void whatIsHiddenIsNeitherReadNorListedNorWritten() throws IOException {
    try (var sb =
        SandboxSession.builder()
            .workspace(project)
            .denyRead(project.resolve("conf/key"), project.resolve("later"))
            .open()) {
      SandboxFiles files = sb.files();
      String[] words = {"hides", "denyRead", project.resolve("conf/key").toString()};
      assertRefused(() -> files.readString("conf/key"), "conf/key", Reason.DENIED, words);
      assertRefused(() -> files.write("conf/key", "x"), "conf/key", Reason.DENIED, words);
      assertRefused(() -> files.delete("conf/key"), "conf/key", Reason.DENIED, words);
      assertRefused(() -> files.exists("conf/key"), "conf/key", Reason.DENIED, words);
      assertRefused(() -> files.write("later/x", "x"), "later/x", Reason.DENIED, "later");
      assertRefused(() -> files.write("later", "x"), "later", Reason.DENIED, "later");
      assertRefused(() -> files.list("later"), "later", Reason.DENIED, "later");
      assertRefused(() -> files.delete("conf"), "conf", Reason.DENIED, "conf/key in it");
      assertThat(files.list("conf").entries())
          .singleElement()
          .matches(Entry::hidden)
          .matches(entry -> entry.size() == 0);
      files.write("conf/other", "x");
      // Whatever becomes of the name: the file itself stays hidden.
      Files.createLink(project.resolve("hard"), project.resolve("conf/key"));
      assertRefused(() -> files.readString("hard"), "hard", Reason.DENIED, words);
      Files.move(project.resolve("conf"), project.resolve("moved"));
      Files.createDirectory(project.resolve("conf"));
      Files.move(project.resolve("moved/key"), project.resolve("conf/key"));
      assertRefused(() -> files.readString("conf/key"), "conf/key", Reason.DENIED, words);
    }
    assertThat(project.resolve("conf/key")).hasContent("SECRET");
  }

  @Test
  void whatIsProtectedIsOnlyRead() throws IOException {
    try (var sb =
        SandboxSession.builder()
            .workspace(project)
            .denyWrite(project.resolve("fixed"))
            .writable(project.resolve("fixed/open"))
            .open()) {
      SandboxFiles files = sb.files();
      assertThat(files.readString("fixed/file")).isEqualTo("fixed");
      assertRefused(
          () -> files.write("fixed/file", "x"),
          "fixed/file",
          Reason.DENIED,
          "being written",
          "denyWrite",
          "name another path");
      assertRefused(() -> files.write("fixed/a/b", "x"), "fixed/a/b", Reason.DENIED, "denyWrite");
      assertRefused(() -> files.delete("fixed/file"), "fixed/file", Reason.DENIED, "denyWrite");
      files.write("fixed/open/file", "x");
      assertThat(files.readString("fixed/open/file")).isEqualTo("x");
    }
    assertThat(project.resolve("fixed/a")).doesNotExist();
  }

  @Test
  void developerFilesStayAsTheyAre() throws IOException {
    try (var sb = SandboxSession.builder().workspace(project).protectDeveloperFiles().open()) {
      SandboxFiles files = sb.files();
      assertRefused(
          () -> files.write(".git/hooks/pre-commit", "evil"),
          ".git/hooks/pre-commit",
          Reason.DENIED,
          "protectDeveloperFiles");
      assertRefused(
          () -> files.write(".vscode/tasks.json", "{}"),
          ".vscode/tasks.json",
          Reason.DENIED,
          "protectDeveloperFiles");
      files.write("src/Main.java", "class Main {}");
    }
    assertThat(project.resolve(".git/hooks")).isEmptyDirectory();
  }

  @Test
  void aLinkThatTheRuleNamesIsNotReplaced() throws IOException {
    Files.createSymbolicLink(project.resolve(".env"), project.resolve("conf/key"));
    try (var sb =
        SandboxSession.builder().workspace(project).denyRead(project.resolve(".env")).open()) {
      assertRefused(() -> sb.files().write(".env", "x"), ".env", Reason.DENIED, "denyRead");
      assertRefused(() -> sb.files().delete(".env"), ".env", Reason.DENIED, "denyRead");
      assertRefused(() -> sb.files().readString("conf/key"), "conf/key", Reason.DENIED, "denyRead");
    }
  }

  @Test
  void aWorkspaceThatWasExchangedForALinkIsNotFollowed(@TempDir Path other) throws IOException {
    Path workspace = Files.createDirectory(project.resolve("ws"));
    Files.writeString(other.resolve("file"), "SECRET");
    try (var sb = SandboxSession.builder().workspace(workspace).open()) {
      Files.delete(workspace);
      Files.createSymbolicLink(workspace, other);
      assertRefused(() -> sb.files().readString("file"), "file", Reason.FAILED, "replaced");
      assertRefused(() -> sb.files().write("new", ""), "new", Reason.FAILED, "replaced");
    }
    assertThat(other.resolve("new")).doesNotExist();
  }
}
