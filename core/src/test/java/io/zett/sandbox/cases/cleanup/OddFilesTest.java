package io.zett.sandbox.cases.cleanup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.cases.outside.Possessions;
import io.zett.sandbox.cases.outside.Programs;
import io.zett.sandbox.cases.outside.Sandboxed;
import io.zett.sandbox.cases.outside.Warnings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** J03, J04, J06: a private workspace of any shape is deleted, or what is left of it is named. */
class OddFilesTest {
  /** Names that no text is, or that mean something to a careless program. */
  static final String ODD_NAMES =
      """
      for n in "$(printf '\\377\\376')" 'a
      b' ' ' '-rf' '*' "$(printf '\\355\\240\\200')" "$(printf %0255d 1)" '...' "$(printf '\\001\\177')"; do
        mkdir -- "./$n" && : >"./$n/$n" || exit 1
      done
      """;

  @TempDir Path host;

  @Test
  void directoriesWithoutAnyPermissionAreDeleted() throws IOException {
    Path target = Files.createDirectory(host.resolve("target"));
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("---------"));
    SandboxSession session = Sandboxed.session();
    Path workspace = session.workspace();
    SandboxResult result =
        session.run(
            "mkdir -p a/b/c m/pkg@v1; touch a/b/c/f m/pkg@v1/go.mod; ln -s '"
                + target
                + "' a/l; chmod 444 m/pkg@v1/go.mod; chmod 555 m/pkg@v1 m;"
                + " chmod 555 a/b/c; chmod 000 a/b; chmod 111 a; chmod 000 .");
    assertThat(result.stderr()).isEmpty();
    session.close();
    assertThat(workspace.getParent()).doesNotExist();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
        .isEqualTo("---------");
  }

  @Test
  void odderKindsOfFilesAreDeleted() {
    SandboxSession session = Sandboxed.session();
    Path workspace = session.workspace();
    SandboxResult result =
        session.run(
            SandboxCommand.of(
                "perl",
                "-e",
                "use Socket; use POSIX; mkfifo('fifo', 0); socket(S, AF_UNIX, SOCK_STREAM, 0);"
                    + " bind(S, sockaddr_un('socket')) or die; open(F, '>', 'sparse');"
                    + " truncate(F, 1 << 40); link('sparse', 'second'); print 'made'"));
    assertThat(result.stdout()).as(result.stderr()).isEqualTo("made");
    session.close();
    assertThat(workspace.getParent()).doesNotExist();
  }

  @Test
  void aTreeOfManyLevelsAndOneOfManyFilesAreDeleted() {
    SandboxSession session = Sandboxed.session();
    Path workspace = session.workspace();
    SandboxResult result =
        session.run(
            SandboxCommand.of(
                    "perl",
                    "-e",
                    "for (1..2000) { mkdir 'd'; chdir 'd' or die }"
                        + " chdir $ARGV[0]; mkdir 'many'; chdir 'many';"
                        + " for (1..5000) { open(F, '>', $_) or die } print 'made'",
                    workspace.toString())
                .timeout(Duration.ofSeconds(120)));
    assertThat(result.stdout()).as(result.stderr()).isEqualTo("made");
    session.close();
    assertThat(workspace.getParent()).doesNotExist();
  }

  @Test
  void namesThatAreNoTextAreDeleted() {
    SandboxSession session = Sandboxed.session();
    Path workspace = session.workspace();
    SandboxResult result = session.run(ODD_NAMES);
    assertThat(result.exitCode()).as(result.stderr()).isZero();
    session.close();
    assertThat(workspace.getParent()).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"C", "C.UTF-8"})
  void namesThatAreNoTextAreDeletedUnderEveryLocale(String locale) throws IOException {
    Path temporary = Files.createDirectory(host.resolve("tmp"));
    try (ChildJvm child =
        ChildJvm.of(OddNames.class).temporary(temporary).env("LC_ALL", locale).start()) {
      assertThat(child.lines()).containsExactly("made");
      assertThat(child.await()).isZero();
    }
    assertThat(Possessions.entries(temporary))
        .noneMatch(path -> path.getFileName().toString().startsWith("zett-"));
  }

  @Test
  void anImmutableFileIsNamedInAWarningAndAllElseIsDeleted() throws IOException {
    SandboxSession session = Sandboxed.session();
    Path workspace = session.workspace();
    Path fixed = Files.writeString(workspace.resolve("fixed"), "x");
    boolean immutable =
        Programs.isRoot() && Programs.tried("chattr", "+i", fixed.toString()).status() == 0;
    if (!immutable) {
      session.close();
    }
    assumeTrue(immutable, "chattr +i works here (root, and a file system that knows it)");
    try (Warnings warnings = new Warnings()) {
      Files.createDirectories(workspace.resolve("a/b"));
      session.runAsync("sleep 600");
      session.close();
      assertThat(warnings.texts()).singleElement().asString().contains(fixed.toString());
      assertThat(Possessions.entries(workspace)).containsExactly(fixed);
      assertThat(Possessions.entries(workspace.getParent())).contains(workspace);
    } finally {
      Programs.run("chattr", "-i", fixed.toString());
    }
    // The next opening finds what was left.
    Sandboxed.session().close();
    assertThat(workspace.getParent()).doesNotExist();
  }

  @Test
  void aMountInTheWorkspaceIsNotDescendedInto() throws IOException {
    assumeTrue(Programs.isRoot(), "mount(2) needs root");
    Path source = Files.createDirectory(host.resolve("source"));
    Files.writeString(source.resolve("f"), "kept");
    SandboxSession session = Sandboxed.session();
    Path workspace = session.workspace();
    Path point = Files.createDirectories(workspace.resolve("d/point"));
    boolean mounted =
        Programs.tried("mount", "--bind", source.toString(), point.toString()).status() == 0;
    if (!mounted) {
      session.close();
    }
    assumeTrue(mounted, "mount(8) works here");
    try (Warnings warnings = new Warnings()) {
      Files.createDirectories(workspace.resolve("e/f"));
      session.close();
      assertThat(source.resolve("f")).hasContent("kept");
      assertThat(warnings.texts()).singleElement().asString().contains(point.toString());
      assertThat(workspace.resolve("e")).doesNotExist();
    } finally {
      Programs.run("umount", point.toString());
    }
    Sandboxed.session().close();
    assertThat(workspace.getParent()).doesNotExist();
    assertThat(source.resolve("f")).hasContent("kept");
  }

  @Test
  void filesOfAnotherOwnerAreDeletedByRoot() throws IOException {
    assumeTrue(Programs.isRoot(), "chown(2) needs root");
    SandboxSession session = Sandboxed.session();
    Path workspace = session.workspace();
    Files.createDirectories(workspace.resolve("a/b"));
    Programs.run("chown", "-R", "1000:1000", workspace.resolve("a").toString());
    session.close();
    assertThat(workspace.getParent()).doesNotExist();
  }

  @Test
  void nothingIsWarnedOfWhenEverythingIsDeleted() {
    try (Warnings warnings = new Warnings()) {
      for (int i = 0; i < 3; i++) {
        try (SandboxSession session = Sandboxed.session()) {
          assertThat(session.run(List.of("touch", "f")).succeeded()).isTrue();
        }
      }
      assertThat(warnings.texts()).isEmpty();
    }
  }
}
