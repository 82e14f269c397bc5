package io.zett.sandbox.backend.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.SandboxSetupException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attacks on the file policy, in a real bubblewrap. */
class FilePolicyAttackTest {

  @TempDir Path temp;
  private Path base;
  private Path workspace;
  private Path outside;

  @BeforeEach
  void directories() throws Exception {
    base = Trial.directories(temp.toRealPath());
    workspace = base.resolve("W");
    outside = base.resolve("H");
  }

  @Test
  void renamingAParentUncoversNoSecret() throws Exception {
    Path key = Trial.write(workspace.resolve("conf/key"), "SECRET");
    Trial trial = new Trial(base, policy -> policy.denyRead(key));

    Trial.Result first = trial.run("mv conf conf2; ls -d conf*; cat conf/key conf2/key");
    Trial.Result second = trial.run("cat conf2/key conf/key");

    assertThat(first.out()).isEqualTo("conf\n");
    assertThat(first.err()).contains("busy");
    assertThat(first.out() + second.out()).doesNotContain("SECRET");
  }

  @Test
  void aRenamedParentCannotBeReplacedByOneWithAHook() throws Exception {
    Files.createDirectories(workspace.resolve("a/b"));
    Trial trial = new Trial(base, policy -> policy.denyWrite(workspace.resolve("a/b")));

    trial.run("mv a a2; mkdir -p a/b; echo evil > a/b/hook");

    assertThat(workspace.resolve("a/b/hook")).doesNotExist();
  }

  @Test
  void aDeniedPathThatIsALinkIsHiddenUnderBothNames() throws Exception {
    Path real = Trial.write(outside.resolve("real"), "SECRET");
    Files.createSymbolicLink(workspace.resolve(".env"), real);
    Trial trial = new Trial(base, policy -> policy.denyRead(workspace.resolve(".env")));

    Trial.Result result = trial.run("cat .env; cat " + real + "; cat ../H/real; true");

    assertThat(result.status()).isZero();
    assertThat(result.out()).isEmpty();
  }

  @Test
  void aDanglingDeniedLinkIsNeitherFollowedNorLeftOpen() throws Exception {
    Files.createSymbolicLink(workspace.resolve("cfg"), Path.of("nowhere"));
    Trial trial = new Trial(base, policy -> policy.denyRead(workspace.resolve("cfg")));

    Trial.Result result = trial.run("echo x > nowhere; echo rc=$?");

    assertThat(result.out()).isEqualTo("rc=2\n");
    assertThat(workspace.resolve("nowhere")).doesNotExist();
  }

  @Test
  void aLinkToTheLaunchersOldRootPlantsNothing() throws Exception {
    Path denied = workspace.resolve("d/planted");
    Trial trial = new Trial(base, policy -> policy.denyWrite(denied));
    trial.run("ln -s /oldroot" + outside + " d");
    assertThat(workspace.resolve("d")).doesNotExist();

    Files.createSymbolicLink(workspace.resolve("d"), Path.of("/oldroot" + outside));
    Trial.Result result = trial.run("true");

    assertThat(result.status()).isZero();
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void aWritableDirectoryReplacedByALinkNeitherLeaksNorBricks() throws Exception {
    Trial.write(outside.resolve("s"), "SECRET");
    Path cache = Files.createDirectories(workspace.resolve("cache"));
    for (String target : List.of("../H", outside.toString())) {
      Trial trial = new Trial(base, policy -> policy.writable(cache).denyRead(outside));
      trial.run("rm -rf cache; ln -s " + target + " cache");
      Trial.Result result = trial.run("cat cache/s; echo x > cache/new; echo alive");

      assertThat(result.out()).isEqualTo("alive\n");
      assertThat(outside.resolve("new")).doesNotExist();
      Files.delete(cache);
      Files.createDirectory(cache);
    }
  }

  @Test
  void aReplacedWritableDirectoryThatNeedsAMountIsNamed() throws Exception {
    Path other = Files.createDirectories(base.resolve("other"));
    Trial trial = new Trial(base, policy -> policy.writable(other));
    Files.delete(other);
    Files.createSymbolicLink(other, outside);

    assertThatThrownBy(trial::prepare)
        .isInstanceOf(SandboxSetupException.class)
        .hasMessageContaining(other.toString())
        .hasMessageContaining("replaced");
  }

  @Test
  void theOrderOfTheOptionsChangesNothing() throws Exception {
    Path directory = workspace.resolve("p");
    Path secret = Trial.write(directory.resolve("secret"), "SECRET");
    Path inner = Files.createDirectories(directory.resolve("q"));
    List<Trial> trials = new ArrayList<>();
    trials.add(new Trial(base, p -> p.denyWrite(directory).denyRead(secret).writable(inner)));
    trials.add(new Trial(base, p -> p.writable(inner).denyRead(secret).denyWrite(directory)));
    trials.add(new Trial(base, p -> p.denyRead(secret).writable(inner).denyWrite(directory)));
    for (Trial trial : trials) {
      Trial.Result result =
          trial.run("cat p/secret; (echo x>p/new) && echo new; (echo y>p/q/ok) && echo ok");

      assertThat(result.out()).isEqualTo("ok\n");
      assertThat(directory.resolve("new")).doesNotExist();
      assertThat(inner.resolve("ok")).hasContent("y");
    }
  }

  @Test
  void aHiddenDirectoryTakesNoWritesAndShowsNoNames() throws Exception {
    Trial.write(workspace.resolve("priv/name"), "SECRET");
    Trial trial = new Trial(base, policy -> policy.denyRead(workspace.resolve("priv")));

    Trial.Result result =
        trial.run("echo data > priv/out; echo rc=$?; ls -A priv; chmod 777 priv; ls -A priv");

    assertThat(result.out()).isEqualTo("rc=2\n");
  }

  @Test
  void whatIsGivenBackInAHiddenDirectoryIsAllThatIsSeenThere() throws Exception {
    Path hidden = workspace.resolve("priv");
    Trial.write(hidden.resolve("a"), "SECRET");
    Path visible = Trial.write(hidden.resolve("deep/b"), "seen");
    Path inner = Files.createDirectories(hidden.resolve("w"));
    Trial trial =
        new Trial(base, policy -> policy.denyRead(hidden).allowRead(visible).writable(inner));

    Trial.Result result =
        trial.run(
            "cat priv/deep/b; cat priv/a; ls priv; touch priv/new priv/deep/new;"
                + " chmod 777 priv && echo changed; echo ok > priv/w/f; cat priv/w/f");

    assertThat(result.out()).isEqualTo("seenok\n");
    assertThat(inner.resolve("f")).hasContent("ok");
  }

  @Test
  void theWorkspaceIsThereWhereverPrivateDirectoriesAre() throws Exception {
    List<Path> parents = new ArrayList<>(List.of(Path.of("/tmp"), Path.of("/var/tmp")));
    parents.add(Path.of("/dev/shm"));
    if (Files.isWritable(Path.of("/run"))) {
      parents.add(Path.of("/run"));
    }
    for (Path parent : parents) {
      Path own = Files.createTempDirectory(parent, "zett-trial");
      try {
        Path inside = Files.createDirectory(own.resolve("ws"));
        Trial.write(inside.resolve("file"), "content");
        Path other = Trial.write(own.resolve("other"), "SECRET");
        Trial trial = new Trial(base, inside, policy -> policy);

        Trial.Result result = trial.run("cat file; echo n > new; cat " + other + "; pwd");

        assertThat(result.out()).as("%s", parent).isEqualTo("content" + inside + "\n");
        assertThat(inside.resolve("new")).hasContent("n");
      } finally {
        for (String name : List.of("ws/new", "ws/file", "ws", "other", "")) {
          Files.deleteIfExists(own.resolve(name));
        }
      }
    }
  }

  @Test
  void aPrivateHomeIsEmptyAndHoldsTheWorkspaceInIt() throws Exception {
    Path inside = Files.createDirectories(base.resolve("home/ws"));
    Trial.write(base.resolve("home/.ssh/id"), "SECRET");
    Trial trial = new Trial(base, inside, policy -> policy.home(HomeMode.PRIVATE));

    Trial.Result result = trial.run("ls -A ~; echo a > ~/new && cat ~/new; echo b > kept");

    assertThat(result.out()).isEqualTo("ws\na\n");
    assertThat(inside.resolve("kept")).hasContent("b");
    assertThat(base.resolve("home/new")).doesNotExist();
  }

  @Test
  void aMissingDeniedDirectoryCanNeitherBeMadeNorStays() throws Exception {
    Trial trial =
        new Trial(
            base,
            policy ->
                policy
                    .denyWrite(workspace.resolve(".git"))
                    .denyWrite(workspace.resolve("x/y/hook"))
                    .denyRead(workspace.resolve(".env")));

    Trial.Result result =
        trial.run(
            "mkdir -p .git/hooks; echo x > .git/hooks/post-checkout; mkdir x/y; rm -rf x;"
                + " ln -sf /etc/hostname .env; cat .env; mv .git g2; ls -A");

    assertThat(result.out()).isEqualTo(".env\n.git\nx\n");
    assertThat(workspace).isEmptyDirectory();
  }

  @Test
  void aFileInTheWayOfADeniedPathStaysAFile() throws Exception {
    Trial.write(workspace.resolve("f"), "text");
    Trial trial = new Trial(base, policy -> policy.denyWrite(workspace.resolve("f/hook")));

    Trial.Result result = trial.run("rm f; mkdir f; echo evil > f/hook; echo more >> f; cat f");

    assertThat(result.out()).isEqualTo("textmore\n");
    assertThat(workspace.resolve("f")).isRegularFile();
  }

  @Test
  void aClosedDirectoryIsNotOpenedToReachWhatIsDenied() throws Exception {
    Path secret = Trial.write(workspace.resolve("d/secret"), "SECRET");
    Trial.mode(workspace.resolve("d"), "---------");
    try {
      Trial trial = new Trial(base, policy -> policy.denyRead(secret));

      Trial.Result result = trial.run("chmod 755 d; cat d/secret; mv d e; cat e/secret");

      assertThat(result.out()).isEmpty();
    } finally {
      Trial.mode(workspace.resolve("d"), "rwx------");
    }
  }

  @Test
  void credentialsOfTheHomeAreHiddenAndCanBeGivenBackByName() throws Exception {
    Path home = base.resolve("home");
    Trial.write(home.resolve(".ssh/id_rsa"), "SECRET");
    Trial.write(home.resolve(".netrc"), "SECRET");
    Trial.write(home.resolve(".config/gh/hosts.yml"), "SECRET");
    Trial.write(home.resolve(".config/plain"), "plain");
    Trial.write(home.resolve(".m2/settings.xml"), "SECRET");
    Path given = Trial.write(home.resolve(".npmrc"), "registry");
    Path elsewhere = Trial.write(outside.resolve("pypirc"), "SECRET");
    Files.createSymbolicLink(home.resolve(".pypirc"), elsewhere);
    Trial trial = new Trial(base, policy -> policy.allowRead(given));

    Trial.Result result =
        trial.run(
            "cd ~; cat .ssh/id_rsa .netrc .config/gh/hosts.yml .pypirc "
                + elsewhere
                + "; cat .config/plain .npmrc .m2/settings.xml");

    assertThat(result.out()).isEqualTo("plainregistry<settings/>\n");
  }

  @Test
  void thePlanIsWhatIsMountedAndAReplacedDirectoryIsNoticed() throws Exception {
    Files.createDirectories(workspace.resolve("a/b"));
    Trial trial = new Trial(base, policy -> policy.denyWrite(workspace.resolve("a/b")));

    assertThat(trial.mounts())
        .containsSubsequence("--bind BASE/W BASE/W", "--bind BASE/W/a BASE/W/a")
        .endsWith("--ro-bind BASE/W/a/b BASE/W/a/b");
    assertThat(trial.prepare().checks())
        .anySatisfy(
            check -> {
              assertThat(check.destination().toPath()).isEqualTo(workspace.resolve("a/b"));
              assertThat(check.identity()).isNotNull();
            });
  }

  @Test
  void otherFilesOfTheDiskCannotBeWritten() throws Exception {
    Trial trial = new Trial(base, policy -> policy);

    trial.run("touch " + outside + "/new ~/new /etc/zett-new /usr/zett-new /zett-new");

    assertThat(outside).isEmptyDirectory();
    assertThat(Files.exists(Path.of("/etc/zett-new"), LinkOption.NOFOLLOW_LINKS)).isFalse();
    assertThat(Files.exists(Path.of("/zett-new"), LinkOption.NOFOLLOW_LINKS)).isFalse();
  }
}
