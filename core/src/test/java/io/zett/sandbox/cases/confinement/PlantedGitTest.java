package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The host's git, used in a protected workspace, runs no program that a command has planted. Each
 * attack first succeeds without the sandbox: git does run the program, which makes a marker.
 */
class PlantedGitTest {

  private static final String GIT =
      "git -c user.name=n -c user.email=e@example.com -c init.defaultBranch=main"
          + " -c protocol.file.allow=always ";

  private static final String REPOSITORY =
      "g init -q .; mkdir -p .git/hooks; echo a > a; g add a; g commit -qm first; ";

  private static final String LIBRARY =
      "g init -q $H/lib; (cd $H/lib; echo a > a; g add a; g commit -qm first); ";

  private static final String SUBMODULE =
      LIBRARY + REPOSITORY + "g submodule --quiet add $H/lib libs/one; g commit -qm module; ";

  private static final String MODULE = ".git/modules/libs/one";

  @TempDir Path temporary;

  /**
   * One way to have a program run.
   *
   * @param name what it is
   * @param setup on the host, before; a shell line in the workspace {@code $W} beside {@code $H}
   * @param attack what the command does; {@code evil} is the program
   * @param use what somebody on the host does afterwards
   */
  private record Attack(String name, String setup, String attack, String use) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Attack> attacks() {
    return Stream.of(
        new Attack(
            "a linked worktree's missing configuration",
            REPOSITORY + "g config extensions.worktreeConfig true; g worktree add -q $H/wt",
            "git config -f .git/worktrees/wt/config.worktree core.fsmonitor $W/evil",
            "cd $H/wt && git status"),
        new Attack(
            "that of one among thousands",
            REPOSITORY
                + "g config extensions.worktreeConfig true; g worktree add -q $H/wt;"
                + " (cd .git/worktrees; seq -f junk%g 2000 | xargs mkdir)",
            "git config -f .git/worktrees/wt/config.worktree core.fsmonitor $W/evil",
            "cd $H/wt && git status"),
        new Attack(
            "the main worktree's missing configuration",
            REPOSITORY + "g config extensions.worktreeConfig true",
            "git config -f .git/config.worktree core.fsmonitor $W/evil",
            "git status"),
        new Attack(
            "the file of a linked worktree in the workspace",
            REPOSITORY + "g worktree add -q wt",
            "cp -r .git other; git config -f other/config core.fsmonitor $W/evil;"
                + " echo gitdir: $W/other > n; mv -f n wt/.git",
            "cd wt && git status"),
        new Attack(
            "a submodule's missing configuration",
            SUBMODULE + "rm " + MODULE + "/config",
            "git config -f "
                + MODULE
                + "/config core.worktree ../../../../libs/one;"
                + " git config -f "
                + MODULE
                + "/config core.fsmonitor $W/evil",
            "git status"),
        new Attack(
            "a submodule's missing configuration of its worktree",
            SUBMODULE + "git -C libs/one config extensions.worktreeConfig true",
            "git config -f " + MODULE + "/config.worktree core.fsmonitor $W/evil",
            "git status"),
        new Attack(
            "a submodule's common directory elsewhere",
            SUBMODULE,
            "cp -r "
                + MODULE
                + " other; git config -f other/config core.fsmonitor $W/evil;"
                + " git config -f other/config core.worktree $W/libs/one; echo $W/other > "
                + MODULE
                + "/commondir",
            "git status"),
        new Attack(
            "a submodule's file .git",
            SUBMODULE,
            "cp -r "
                + MODULE
                + " other; git config -f other/config core.fsmonitor $W/evil;"
                + " git config -f other/config core.worktree $W/libs/one;"
                + " echo gitdir: $W/other > n; mv -f n libs/one/.git",
            "git status"),
        new Attack(
            "the configuration of a submodule's submodule",
            LIBRARY
                + "g init -q $H/middle; (cd $H/middle; g submodule --quiet add $H/lib a/b/c/inner;"
                + " g commit -qm first); "
                + REPOSITORY
                + "g submodule --quiet add $H/middle x/y/z/outer;"
                + " g submodule --quiet update --init --recursive; g commit -qm modules",
            "git config -f .git/modules/x/y/z/outer/modules/a/b/c/inner/config"
                + " core.fsmonitor $W/evil",
            "git status"),
        new Attack(
            "a bare repository at the top",
            "mkdir src",
            "git init -q --bare .; git config -f config core.bare false;"
                + " git config -f config core.worktree $W;"
                + " git config -f config core.fsmonitor $W/evil",
            "git status"),
        new Attack(
            "the rest of a bare repository, where a HEAD lies",
            "echo 'ref: refs/heads/main' > HEAD",
            "mkdir objects refs; git config -f config core.repositoryformatversion 0;"
                + " git config -f config core.bare false;"
                + " git config -f config core.worktree $W;"
                + " git config -f config core.fsmonitor $W/evil",
            "git status"),
        new Attack(
            "a bare repository's configuration elsewhere, where a HEAD lies",
            "echo 'ref: refs/heads/main' > HEAD",
            "git init -q --bare other; git config -f other/config remote.origin.url $W;"
                + " git config -f other/config remote.origin.uploadpack $W/evil;"
                + " echo other > commondir",
            "git fetch"),
        new Attack(
            "hooks in a directory of the project",
            REPOSITORY + "mkdir -p tools/git; touch tools/git/x; g config core.hooksPath tools/git",
            "cp evil tools/git/pre-commit",
            "g commit -q --allow-empty -m x"),
        new Attack(
            "hooks in a directory of the project that is missing",
            REPOSITORY + "g config core.hooksPath tools/git",
            "mkdir -p tools/git; cp evil tools/git/post-commit",
            "g commit -q --allow-empty -m x"),
        new Attack(
            "hooks of the project's in a linked worktree",
            "rmdir $W; mkdir $H/main; cd $H/main; "
                + REPOSITORY
                + "g config core.hooksPath tools/git; g worktree add -q $W",
            "mkdir -p tools/git; cp evil tools/git/pre-commit",
            "g commit -q --allow-empty -m x"),
        new Attack(
            "a configuration file of the project that git's includes",
            REPOSITORY + "echo > git.conf; g config include.path ../git.conf",
            "git config -f git.conf core.fsmonitor $W/evil",
            "git status"),
        new Attack(
            "one that is missing, included by one that is included",
            REPOSITORY
                + "g config -f git.conf includeIf.gitdir:/.path sub/more.conf;"
                + " g config include.path ../git.conf",
            "mkdir -p sub; git config -f sub/more.conf core.fsmonitor $W/evil",
            "git status"));
  }

  private static String line(Scene scene, String line) {
    return "W=%s H=%s; g() { %s\"$@\"; }; %s".formatted(scene.workspace, scene.outside, GIT, line);
  }

  private static Unsandboxed.End host(Scene scene, String line) throws Exception {
    return Unsandboxed.shell(scene.base, line(scene, "mkdir -p $W; cd $W; ") + line);
  }

  private Scene prepared(String name, Attack attack) throws Exception {
    Scene scene = new Scene(Files.createDirectories(temporary.resolve(name)));
    Unsandboxed.End end = host(scene, "set -e; " + attack.setup);
    assertThat(end.status()).as(end.err()).isZero();
    String program = "#!/bin/sh\ntouch " + scene.outside.resolve("marker") + "\n";
    Path evil = Scene.write(scene.workspace.resolve("evil"), program);
    assertThat(evil.toFile().setExecutable(true)).isTrue();
    return scene;
  }

  @ParameterizedTest
  @MethodSource("attacks")
  void theHostsGitRunsNothingThatACommandPlanted(Attack attack) throws Exception {
    Scene bare = prepared("bare", attack);
    host(bare, attack.attack);
    Unsandboxed.End used = host(bare, attack.use);
    assertThat(bare.outside.resolve("marker")).as("unsandboxed; " + used.err()).exists();

    Scene scene = prepared("kept", attack);
    try (SandboxSession session = scene.session().protectDeveloperFiles().open()) {
      session.run(line(scene, attack.attack + "; true"));
    } catch (SandboxCanceledException e) {
      // What may not come to be, and where nothing can stand meanwhile, came to be.
    }
    host(scene, attack.use);
    assertThat(scene.outside.resolve("marker")).doesNotExist();
  }

  @Test
  void gitWorksOnWithWorktreesSubmodulesAndHooksOfTheProject() throws Exception {
    Scene scene = new Scene(temporary);
    String project =
        SUBMODULE
            + "g worktree add -q wt; mkdir -p tools/git;"
            + " printf '#!/bin/sh\\necho >> $(git rev-parse --git-dir)/ran' > tools/git/pre-commit;"
            + " chmod +x tools/git/pre-commit; printf '/wt\\n/missing.conf\\n' > .gitignore; g add -A;"
            + " g commit -qm tools; g config core.hooksPath tools/git;"
            + " g config include.path ../missing.conf";
    assertThat(host(scene, "set -e; " + project).status()).isZero();
    String work =
        """
        set -e; git status --porcelain
        echo b > b; g add -A; g commit -qm second; test -s .git/ran
        echo c >> b; g stash -q; git stash pop -q; g commit -qam third
        git branch topic; git checkout -q topic; git checkout -q main; git branch -q -d topic
        (cd wt; echo d > d; g add d; g commit -qm fourth; git status --porcelain)
        git worktree add -q w2; (cd w2; g commit -q --allow-empty -m fifth); git worktree remove w2
        git submodule status; git submodule --quiet foreach 'git status --porcelain'
        (cd libs/one; echo e > e; g add e; g commit -qm inner); git add libs/one
        g commit -qm moved; git gc -q; git fsck --no-dangling --no-progress
        git log --format=%s | head -n 3
        """;
    try (SandboxSession session = scene.session().protectDeveloperFiles().open()) {
      SandboxResult result = session.run(line(scene, work));
      assertThat(result.succeeded()).as(result.stderr()).isTrue();
      assertThat(result.stdout()).contains("libs/one").endsWith("moved\nthird\nsecond\n");
    }
    Unsandboxed.End after = host(scene, "git status --porcelain && git fsck --no-dangling");
    assertThat(after.status()).as(after.err()).isZero();
    assertThat(after.out()).isEmpty();
  }

  @Test
  void moreGitDirectoriesThanCanBeLookedAtAreRefused() throws Exception {
    Scene scene = new Scene(temporary);
    host(scene, REPOSITORY + "mkdir -p .git/modules; cd .git/modules; seq 10001 | xargs mkdir");

    assertThatThrownBy(() -> scene.session().protectDeveloperFiles().open())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("protectDeveloperFiles")
        .hasMessageContaining("too many directories");
  }
}
