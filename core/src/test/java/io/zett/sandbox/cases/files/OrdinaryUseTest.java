package io.zett.sandbox.cases.files;

import static io.zett.sandbox.cases.files.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import io.zett.sandbox.Sandbox;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxClosedException;
import io.zett.sandbox.SandboxFileException.Reason;
import io.zett.sandbox.SandboxFiles;
import io.zett.sandbox.SandboxFiles.Entry;
import io.zett.sandbox.SandboxFiles.Kind;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class OrdinaryUseTest {
  @TempDir Path host;

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void theHostAndCommandsSeeTheSameFiles(SandboxBackend backend) throws IOException {
    try (var sb = SandboxSession.builder().backend(backend).open()) {
      SandboxFiles files = sb.files();
      files.write("src/a/in.txt", "größer\n");
      assertThat(sb.run("cat src/a/in.txt && echo more >> src/a/in.txt && touch src/b").check())
          .extracting(result -> result.stdout())
          .isEqualTo("größer\n");
      assertThat(files.readString("src/a/in.txt")).isEqualTo("größer\nmore\n");
      assertThat(files.readString(sb.workspace() + "/src/./x/../a//in.txt")).contains("more");
      assertThat(files.readBytes("src/a/in.txt")).hasSize(14);
      assertThat(files.list("src").entries())
          .extracting(Entry::name, Entry::kind, Entry::size, Entry::hidden)
          .containsExactly(tuple("a", Kind.DIRECTORY, 0L, false), tuple("b", Kind.FILE, 0L, false));
      assertThat(files.list(".").entries()).extracting(Entry::name).containsExactly("src");
      assertThat(files.exists("src/b")).isTrue();
      files.delete("src/b");
      assertThat(files.exists("src/b")).isFalse();
      assertThat(files.exists("src/a/in.txt/below")).isFalse();
      assertThat(files.exists("no/such")).isFalse();
      assertThat(files.exists(".")).isTrue();
      assertRefused(() -> files.delete("src"), "src", Reason.FAILED, "not empty");
      assertRefused(() -> files.delete("no"), "no", Reason.NOT_FOUND, "list the directory");
      files.delete("src/a/in.txt");
      files.delete("src/a");
      assertThat(sb.run("ls src").stdout()).isEmpty();
    }
  }

  @Test
  void aFileIsReplacedAndKeepsItsModeButNoSetIdBits() throws IOException {
    try (var sb = SandboxSession.builder().open()) {
      sb.files().write("job.sh", "#!/bin/sh\necho one\n");
      assertThat(sb.run("stat -c %a job.sh").stdout()).isEqualTo("644\n");
      sb.run("chmod 751 job.sh; ln job.sh other").check();
      sb.files().write("job.sh", "#!/bin/sh\necho two\n");
      assertThat(sb.run("./job.sh; stat -c %a job.sh").stdout()).isEqualTo("two\n751\n");
      assertThat(sb.files().readString("other")).contains("one");
      Files.setPosixFilePermissions(
          sb.workspace().resolve("other"), PosixFilePermissions.fromString("---------"));
      sb.files().write("other", "");
      assertThat(sb.run("stat -c %a other; ls -A").stdout()).isEqualTo("600\njob.sh\nother\n");
    }
  }

  @Test
  void filesAreCopiedInAndOut() throws IOException {
    Path script = Files.writeString(host.resolve("script"), "#!/bin/sh\necho run\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    Files.createSymbolicLink(host.resolve("link"), script);
    try (var sb = SandboxSession.builder().open()) {
      SandboxFiles files = sb.files();
      files.copyIn(host.resolve("link"), "bin/script");
      assertThat(sb.run("bin/script > out; stat -c %a bin/script; wc -c < out").stdout())
          .isEqualTo("755\n4\n");
      Path out = host.resolve("out");
      Files.createSymbolicLink(out, host.resolve("elsewhere"));
      files.copyOut("out", out);
      assertThat(out).isRegularFile().hasContent("run\n");
      assertThat(host.resolve("elsewhere")).doesNotExist();
      assertRefused(
          () -> files.copyOut("out", host.resolve("cut"), 3), "out", Reason.TOO_LARGE, "4", "3");
      assertThat(host).isDirectoryNotContaining(path -> path.endsWith("cut"));
      assertThatExceptionOfType(NoSuchFileException.class)
          .isThrownBy(() -> files.copyOut("out", host.resolve("no/such")))
          .withMessageContaining("create it first");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> files.copyOut("out", host))
          .withMessageContaining("is a directory");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> files.copyIn(host, "in"))
          .withMessageContaining("no regular file");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> files.copyOut("out", sb.workspace().resolve("x")))
          .withMessageContaining("where commands write");
      sb.run("ln -s /etc/passwd planted").check();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> files.copyIn(sb.workspace().resolve("planted"), "in"))
          .withMessageContaining("where commands write");
      try (var left = Files.list(host)) {
        assertThat(left.map(path -> path.getFileName().toString()))
            .containsExactlyInAnyOrder("script", "link", "out");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "..", "a/../..", "/", "/etc/passwd", "../x", "a\0b", "~/x", "~", "a\ud800"})
  void aPathThatCannotBeMeantIsRefused(String path) {
    try (var sb = SandboxSession.builder().backend(SandboxBackend.PASSTHROUGH).open()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> sb.files().readString(path))
          .withMessageStartingWith("path");
      assertThatIllegalArgumentException().isThrownBy(() -> sb.files().write(path, ""));
      assertThatIllegalArgumentException().isThrownBy(() -> sb.files().exists(path));
    }
  }

  @Test
  void aNeighbourWhoseNameBeginsLikeTheWorkspaceIsNotInIt() {
    try (var sb = SandboxSession.builder().backend(SandboxBackend.PASSTHROUGH).open()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> sb.files().exists(sb.workspace() + "2"))
          .withMessageContaining("not in the workspace");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> sb.files().list(Path.of("../x"), 1))
          .withMessageContaining("not in the workspace");
    }
  }

  @Test
  void boundsAndTheWorkspaceItselfAreRefusedWithTheMend() {
    try (var sb = SandboxSession.builder().backend(SandboxBackend.PASSTHROUGH).open()) {
      SandboxFiles files = sb.files();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> files.readBytes("a", -1))
          .withMessage("maxBytes: -1 is out of range; from 0 to 2147483631 bytes");
      assertThatIllegalArgumentException().isThrownBy(() -> files.list(".", 0));
      assertThatIllegalArgumentException().isThrownBy(() -> files.write("a", "\udc00"));
      assertRefused(() -> files.readBytes("."), ".", Reason.WRONG_KIND, "name a file");
      assertRefused(() -> files.write("a/..", ""), "a/..", Reason.WRONG_KIND, "name a file");
      assertRefused(() -> files.delete("."), ".", Reason.WRONG_KIND, "name a file");
    }
  }

  @Test
  void beforeOpeningAndAfterClosingThereIsNothing() throws IOException {
    SandboxSession session =
        SandboxSession.builder().backend(SandboxBackend.PASSTHROUGH).workspace(host).build();
    assertThatExceptionOfType(SandboxClosedException.class).isThrownBy(session::files);
    session.open();
    SandboxFiles files = session.files();
    files.write("a", "b");
    session.close();
    assertThatExceptionOfType(SandboxClosedException.class).isThrownBy(session::files);
    assertThatExceptionOfType(SandboxClosedException.class).isThrownBy(() -> files.readString("a"));
    assertThatExceptionOfType(SandboxClosedException.class).isThrownBy(() -> files.write("a", "c"));
    assertThat(host.resolve("a")).hasContent("b");
  }

  @Test
  void aSandboxHasThemToo() throws IOException {
    try (Sandbox sandbox = Sandbox.open(SandboxPolicy.builder().build(), host)) {
      sandbox.files().write("a", "text");
      assertThat(sandbox.run(List.of("cat", "a")).stdout()).isEqualTo("text");
      assertThat(sandbox.files().list(".", 1).truncated()).isFalse();
      sandbox.files().write("b", "");
      assertThat(sandbox.files().list(".", 1))
          .matches(one -> one.truncated() && one.entries().size() == 1);
    }
  }
}
