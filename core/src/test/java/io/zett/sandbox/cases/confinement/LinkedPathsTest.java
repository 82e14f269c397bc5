package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.SandboxSetupException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links in a policy's paths, there from the beginning or planted by an earlier command. */
class LinkedPathsTest {

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  private Path link(String name, String target) throws Exception {
    return Files.createSymbolicLink(scene.workspace.resolve(name), Path.of(target));
  }

  @ParameterizedTest
  @ValueSource(strings = {"absolute", "../H/real", "chain"})
  void aDeniedPathThatIsALinkIsHiddenUnderBothNames(String kind) throws Exception {
    Path real = scene.host("real", "SECRET");
    if (kind.equals("chain")) {
      link("second", "../H/../H/real");
    }
    Path given =
        link(".env", kind.equals("absolute") ? real.toString() : kind.replace("chain", "second"));
    assertThat(Unsandboxed.shell(scene.workspace, "cat .env ../H/real").out())
        .isEqualTo("SECRETSECRET");
    try (SandboxSession session = scene.session().denyRead(given).open()) {
      SandboxResult result = session.run("cat .env; cat " + real + "; cat ../H/real; true");

      assertThat(result.exitCode()).isZero();
      assertThat(result.stdout()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mv .env moved", "rm .env", "ln -sfn nowhere .env"})
  void whatADeniedLinkNamedStaysHiddenWhenACommandMovesTheLink(String move) throws Exception {
    Path real = scene.host("real", "SECRET");
    Path given = link(".env", real.toString());
    try (SandboxSession session = scene.session().denyRead(given).open()) {
      try {
        session.run(move);
      } catch (RuntimeException ended) {
        // Moving it may end the command; what counts is what the next one sees.
      }
      SandboxResult result = session.run("cat .env moved " + real + " ../H/real; true");

      assertThat(result.stdout()).doesNotContain("SECRET");
    }
  }

  @Test
  void aDeniedDirectoryIsHiddenThroughLinksToItToo() throws Exception {
    Path secret = scene.work("real/deep/secret", "SECRET");
    link("d", "real/deep");
    try (SandboxSession session =
        scene.session().denyRead(scene.workspace.resolve("d/secret")).open()) {
      SandboxResult result =
          session.run("cat d/secret real/deep/secret; mv real r2; cat r2/deep/*");

      assertThat(result.stdout()).isEmpty();
    }
    assertThat(secret).hasContent("SECRET");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nowhere", "no/where", "/zett-no/where", "cfg", "../H/missing"})
  void aDanglingDeniedLinkNeitherFailsTheCommandNorMakesItsTarget(String target) throws Exception {
    Path given = link("cfg", target);
    try (SandboxSession session = scene.session().denyRead(given).denyWrite(given).open()) {
      assertThat(session.run("true").exitCode()).isZero();
      assertThat(session.run("echo x > cfg").succeeded()).isFalse();
    }
    assertThat(Files.exists(given)).isFalse();
    assertThat(Files.isSymbolicLink(given)).isTrue();
    assertThat(scene.outside).isEmptyDirectory();
    assertThat(scene.workspace.resolve("no")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/oldroot", "/newroot", "/proc/self/root", "/proc/1/root"})
  void aLinkToTheLaunchersOwnRootPlantsNothing(String root) throws Exception {
    link("d", root + scene.outside);
    try (SandboxSession session =
        scene
            .session()
            .denyWrite(scene.workspace.resolve("d/planted"))
            .denyRead(scene.workspace.resolve("d/hidden"))
            .open()) {
      assertThat(session.run("true").exitCode()).isZero();
    }
    assertThat(scene.outside).isEmptyDirectory();
  }

  @Test
  void aLinkPlantedBetweenTwoCommandsPlantsNothing() throws Exception {
    try (SandboxSession planting = scene.session().open();
        SandboxSession session =
            scene.session().denyWrite(scene.workspace.resolve("d/planted")).open()) {
      session.run("ln -s /oldroot" + scene.outside + " d");
      assertThat(scene.workspace.resolve("d")).doesNotExist();
      planting.run("ln -s /oldroot" + scene.outside + " d");
      assertThat(session.run("true").exitCode()).isZero();
      planting.run("ln -sfn " + scene.outside + " d");
      assertThat(session.run("echo evil > d/planted").succeeded()).isFalse();
    }
    assertThat(scene.outside).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"../H", "absolute", "/oldroot", "/proc/self/cwd/../H"})
  void aWritableDirectoryReplacedByALinkGrantsNothing(String kind) throws Exception {
    scene.host("s", "SECRET");
    Path cache = Files.createDirectories(scene.workspace.resolve("cache"));
    String target =
        switch (kind) {
          case "absolute" -> scene.outside.toString();
          case "/oldroot" -> kind + scene.outside;
          default -> kind;
        };
    try (SandboxSession session = scene.session().writable(cache).denyRead(scene.outside).open()) {
      session.run("rm -rf cache; ln -s " + target + " cache");
      SandboxResult result = session.run("cat cache/s; echo x > cache/new; echo alive");

      assertThat(result.stdout()).isEqualTo("alive\n");
    }
    assertThat(scene.outside.resolve("new")).doesNotExist();
    assertThat(scene.outside.resolve("s")).hasContent("SECRET");
  }

  @Test
  void theWorkspaceReplacedByALinkGrantsNothing() throws Exception {
    scene.host("s", "SECRET");
    Path parent = Files.createDirectories(scene.base.resolve("P"));
    Path own = Files.createDirectories(parent.resolve("ws"));
    try (SandboxSession session =
        SandboxSession.builder()
            .workspace(own)
            .allowRead(scene.base)
            .writable(parent)
            .denyRead(scene.outside)
            .open()) {
      session.run("cd ..; rm -rf ws; ln -s " + scene.outside + " ws");
      assertThat(Files.isSymbolicLink(own)).isTrue();
      try {
        SandboxResult result = session.run("cat s; echo x > new; echo x > " + own + "/new");
        assertThat(result.stdout()).isEmpty();
      } catch (SandboxSetupException e) {
        assertThat(e).hasMessageContaining("director");
      }
    }
    assertThat(scene.outside.resolve("new")).doesNotExist();
  }

  @Test
  void aReplacedDirectoryThatNeedsAMountIsNamed() throws Exception {
    Path other = Files.createDirectories(scene.base.resolve("other"));
    try (SandboxSession session = scene.session().writable(other).open()) {
      Files.delete(other);
      Files.createSymbolicLink(other, scene.outside);

      assertThatExceptionOfType(SandboxSetupException.class)
          .isThrownBy(() -> session.run("echo x > ../other/new"))
          .withMessageContaining(other.toString())
          .withMessageContaining("replaced");
      Files.delete(other);
      Files.createDirectory(other);
      assertThat(session.run("echo x > ../other/new").exitCode()).isZero();
    }
    assertThat(scene.outside).isEmptyDirectory();
  }

  @Test
  void aWorkspaceGivenThroughALinkIsItsRealDirectory() throws Exception {
    Path real = Files.createDirectories(scene.base.resolve("real"));
    Path link = Files.createSymbolicLink(scene.base.resolve("link"), real);
    try (SandboxSession session =
        SandboxSession.builder().workspace(link).allowRead(scene.base).open()) {
      assertThat(session.workspace()).isEqualTo(real);
      assertThat(session.run("pwd; echo x > " + link + "/new").stdout()).isEqualTo(real + "\n");
    }
    assertThat(Files.exists(real.resolve("new"), LinkOption.NOFOLLOW_LINKS)).isTrue();
  }
}
