package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rule is kept although commands may move the directories on the way to what it names. */
class RenamedAncestorTest {

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  @Test
  void aRenamedParentUncoversNoSecret() throws Exception {
    Path key = scene.work("conf/key", "SECRET");
    try (SandboxSession session = scene.session().denyRead(key).open()) {
      SandboxResult first = session.run("mv conf conf2 || true; cat conf/key conf2/key");
      SandboxResult second = session.run("cat conf2/key conf/key");

      assertThat(first.stdout() + second.stdout()).isEmpty();
    }
    assertThat(key).hasContent("SECRET");
  }

  @Test
  void noOtherWayOfMovingAncestorsUncoversIt() throws Exception {
    Path key = scene.work("a/b/c/key", "SECRET");
    scene.work("decoy/b/c/key", "decoy");
    String exchange =
        """
        import ctypes
        c = ctypes.CDLL(None)
        for there in (b'a', b'a/b', b'a/b/c', b'a/b/c/key'):
          for here in (b'decoy', b'decoy/b', b'decoy/b/c', b'decoy/b/c/key'):
            c.renameat2(-100, there, -100, here, 2)
        """;
    try (SandboxSession session = scene.session().denyRead(key).open()) {
      session.run(List.of(Scene.PYTHON, "-c", exchange));
      session.run(
          "ln a/b/c/key linked; mv a moved; mv a/b moved; mv a/b/c moved; mv a/b/c/key moved");
      session.run("cp -al a copied; ln -s a/b/c/key by-link; rm -rf a");
      SandboxResult result = session.run("grep -rs SECRET . /proc/self/cwd/; cat by-link linked");

      assertThat(result.stdout()).isEmpty();
    }
    assertThat(key).hasContent("SECRET");
  }

  @Test
  void aRenamedParentCannotBeReplacedByOneWithAHook() throws Exception {
    Files.createDirectories(scene.workspace.resolve("a/b"));
    Path denied = scene.workspace.resolve("a/b");
    try (SandboxSession session = scene.session().denyWrite(denied).open()) {
      session.run("mv a a2; mkdir -p a/b; echo evil > a/b/hook");
      session.run("rm -rf a; mkdir -p a/b; echo evil > a/b/hook");
    }
    assertThat(denied).isEmptyDirectory();
  }

  @Test
  void theWorkspaceInsideAWritableDirectoryCannotBeMovedAwayFromItsSecret() throws Exception {
    Path key = scene.work("conf/key", "SECRET");
    try (SandboxSession session = scene.session().writable(scene.base).denyRead(key).open()) {
      SandboxResult first = session.run("cd ..; mv W W2; mkdir -p W; cat W2/conf/key");
      SandboxResult second = session.run("cat ../W2/conf/key conf/key");

      assertThat(first.stdout() + second.stdout()).isEmpty();
    }
    assertThat(key).hasContent("SECRET");
  }

  @Test
  void theSiblingsOfADeniedFileCanStillBeMovedAndRemoved() throws Exception {
    Path key = scene.work("conf/key", "SECRET");
    scene.work("conf/other", "text");
    scene.work("docs/page", "text");
    try (SandboxSession session = scene.session().denyRead(key).open()) {
      SandboxResult result =
          session.run("mv conf/other conf/new && mv docs doc && rm -r doc && cat conf/new");

      assertThat(result.stdout()).isEqualTo("text");
    }
  }
}
