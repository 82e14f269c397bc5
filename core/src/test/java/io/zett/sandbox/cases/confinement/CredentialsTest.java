package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.rules.Credential;
import io.zett.sandbox.rules.CredentialList;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each kind of credential on the list is unreadable, and tools that can do without it work. */
class CredentialsTest {

  private static final List<Credential> IN_HOME =
      CredentialList.builtIn().entries().stream().filter(entry -> !entry.absolute()).toList();

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  /** Every entry that holds no other, with a secret in it. */
  private void plant(Path home, boolean asDirectories) throws Exception {
    for (Credential entry : IN_HOME) {
      Path path = home.resolve(entry.path());
      boolean holdsOthers =
          IN_HOME.stream().anyMatch(other -> other.path().startsWith(entry.path() + "/"));
      Scene.write(asDirectories || holdsOthers ? path.resolve("file") : path, "SECRET\n");
    }
    Scene.write(home.resolve(".config/plain"), "plain\n");
    Scene.write(home.resolve("document"), "document\n");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyEntryOfTheListIsHiddenInTheCallersHome(boolean asDirectories) throws Exception {
    plant(scene.home, asDirectories);
    String read = "grep -rhs . ~ | grep -v '<settings/>' | sort | uniq -c | tr -s ' '";
    assertThat(Unsandboxed.end(Caller.start(scene, Map.of(), List.of("/bin/sh", "-c", read))).out())
        .contains(" SECRET\n");

    Unsandboxed.End end = Caller.run(scene, Map.of(), "run=" + read);

    assertThat(end.out()).as(end.err()).isEqualTo(" 1 document\n 1 plain\n");
  }

  @Test
  void aHomeThatIsTheWorkspaceHidesThemAndLetsNoneBeMade() throws Exception {
    plant(scene.home, false);
    Files.delete(scene.home.resolve(".netrc"));
    Unsandboxed.End end =
        Caller.run(
            scene,
            Map.of(),
            "workspace=" + scene.home,
            "run=grep -rhs SECRET .; mv .config c2; grep -rhs SECRET c2; echo evil > .netrc;"
                + " mkdir .ssh2; mv .ssh2 .ssh; echo mine > mine; cat mine");

    assertThat(end.out()).isEqualTo("mine\n");
    assertThat(scene.home.resolve(".netrc")).doesNotExist();
  }

  @Test
  void oneIsGivenBackByItsName() throws Exception {
    plant(scene.home, false);
    Unsandboxed.End end =
        Caller.run(
            scene,
            Map.of(),
            "allowRead=" + scene.home.resolve(".npmrc"),
            "allowRead=" + scene.home.resolve(".m2/settings.xml"),
            "run=cd ~; cat .npmrc .netrc .m2/settings.xml .m2/settings-security.xml");

    assertThat(end.out()).isEqualTo("SECRET\nSECRET\n");
  }

  @Test
  void aCredentialThatIsALinkIsHiddenWhereItLeads() throws Exception {
    Path real = scene.host("dotfiles/netrc", "SECRET");
    Files.createSymbolicLink(scene.home.resolve(".netrc"), real);
    Files.createDirectories(scene.outside.resolve("ssh"));
    scene.host("ssh/id", "SECRET");
    Files.createSymbolicLink(scene.home.resolve(".ssh"), scene.outside.resolve("ssh"));
    Unsandboxed.End end =
        Caller.run(
            scene, Map.of(), "run=cat ~/.netrc ~/.ssh/id " + real + "; grep -rs SECRET ../H");

    assertThat(end.out()).isEmpty();
  }

  @Test
  void homesOfOtherAccountsAreCoveredWhenRootCalls() throws Exception {
    assumeTrue(Scene.isRoot(), "only root could read other accounts' homes");
    assumeTrue(Files.isWritable(Path.of("/home")), "needs a /home");
    Path other = Files.createTempDirectory(Path.of("/home"), "zett-case");
    try {
      Scene.write(other.resolve(".netrc"), "SECRET");
      Scene.write(other.resolve(".ssh/id"), "SECRET");
      Scene.write(other.resolve("plain"), "plain");
      try (SandboxSession session = scene.session().open()) {
        assertThat(session.run("cd " + other + " && cat plain .netrc .ssh/id").stdout())
            .isEqualTo("plain");
      }
    } finally {
      for (String name : List.of(".netrc", ".ssh/id", ".ssh", "plain", "")) {
        Files.deleteIfExists(other.resolve(name));
      }
    }
  }

  @Test
  void noSecretOfTheSystemCanBeRead() throws Exception {
    String files =
        String.join(
            " ",
            CredentialList.builtIn().entries().stream()
                .filter(Credential::absolute)
                .map(Credential::path)
                .toList());
    String read =
        "for f in " + files + "; do [ -f $f ] && head -c 1 $f >/dev/null && echo $f; done";
    if (Scene.isRoot()) {
      assertThat(Unsandboxed.shell(scene.base, read).out()).contains("/etc/shadow");
    }
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result = session.run(read + "; find " + files + " -mindepth 1; true");

      assertThat(result.stdout()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "git --version",
        "npm --version",
        "/usr/bin/python3 -m pip --version",
        "mvn --version",
        "git init -q r && git -C r status && git -C r log --all"
      })
  void toolsWorkWithTheirCredentialFilesHidden(String command) throws Exception {
    for (String name :
        List.of(
            ".npmrc",
            ".config/pip/pip.conf",
            ".pip/pip.conf",
            ".m2/settings.xml",
            ".netrc",
            ".m2/settings-security.xml",
            ".git-credentials",
            ".config/git/credentials",
            ".pypirc")) {
      Scene.write(scene.home.resolve(name), "");
    }
    Scene.write(scene.home.resolve(".m2/settings.xml"), "<settings/>");
    Map<String, String> environment = Map.of("JAVA_HOME", System.getProperty("java.home"));
    Unsandboxed.End host =
        Unsandboxed.end(
            Caller.start(scene, environment, List.of("/bin/sh", "-c", "cd H && " + command)));
    assumeTrue(host.status() == 0, command + " does not work on this machine");

    Unsandboxed.End end =
        Caller.run(scene, environment, "run=(" + command + ") >/dev/null && echo works");

    assertThat(end.out()).as(end.err()).isEqualTo("works\n");
  }
}
