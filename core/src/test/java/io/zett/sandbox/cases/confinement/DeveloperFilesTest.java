package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the host executes or obeys by itself stays as it is, and git works on. */
class DeveloperFilesTest {

  private static final String GIT =
      "git -c user.name=n -c user.email=e@example.com -c init.defaultBranch=main ";

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  private SandboxSession.Builder session() {
    return scene.session().protectDeveloperFiles();
  }

  /** A repository on the host, with one commit. */
  private Path repository(Path at) throws Exception {
    Files.createDirectories(at);
    host(
        at,
        GIT
            + "init -q . && mkdir -p .git/hooks && echo a > a && git add a && "
            + GIT
            + "commit -qm first");
    return at;
  }

  private static String host(Path at, String line) throws Exception {
    Unsandboxed.End end = Unsandboxed.shell(at, line);
    assertThat(end.status()).as(line + "\n" + end.err()).isZero();
    return end.out();
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".git/hooks/post-checkout",
        ".git/config",
        ".vscode/tasks.json",
        ".idea/workspace.xml",
        ".mcp.json",
        ".claude/settings.json",
        ".cursor/mcp.json",
        ".codex/config.toml",
        ".gemini/settings.json"
      })
  void whatIsMissingCannotBeMadeAndLeavesNothing(String file) throws Exception {
    String plant = "mkdir -p $(dirname " + file + ") && echo evil > " + file;
    try (SandboxSession plain = scene.session().open()) {
      assertThat(plain.run(plant).succeeded()).as("without the preset").isTrue();
    }
    host(scene.workspace, "rm -rf .git .vscode .idea .mcp.json .claude .cursor .codex .gemini");

    try (SandboxSession session = session().open()) {
      assertThat(session.run(plant).succeeded()).isFalse();
      assertThat(session.run("mv .vscode x || rm -r .claude || rmdir .git").succeeded()).isFalse();
      assertThat(session.run("echo ok > other && mkdir src").succeeded()).isTrue();
    }
    assertThat(names(scene.workspace)).containsExactly("other", "src");
  }

  @Test
  void whatExistsCanBeReadAndNotChanged() throws Exception {
    List<String> files =
        List.of(".vscode/tasks.json", ".envrc", ".bashrc", ".mcp.json", ".husky/pre-commit");
    for (String file : files) {
      scene.work(file, "good");
    }
    try (SandboxSession session = session().open()) {
      for (String file : files) {
        assertThat(session.run("cat " + file).stdout()).isEqualTo("good");
        for (String attack :
            List.of(
                "echo evil > %s",
                "rm -f %s",
                "mv %s gone",
                "echo evil > x && mv -f x %s",
                "ln -sf x %s",
                "chmod 777 %s",
                "cp x $(dirname %1$s)/new")) {
          session.run("echo evil > x; " + attack.formatted(file));
        }
      }
      assertThat(session.run("mv .vscode v; mv .husky h; ls -d v h").stdout()).isEmpty();
    }
    for (String file : files) {
      assertThat(scene.workspace.resolve(file)).hasContent("good");
    }
    assertThat(names(scene.workspace.resolve(".vscode"))).containsExactly("tasks.json");
  }

  @Test
  void ordinaryWorkOfGitGoesOn() throws Exception {
    repository(scene.workspace);
    try (SandboxSession session = session().open()) {
      SandboxResult result =
          session.run(
              """
              set -e
              git status --porcelain
              echo b > b; git add -A; %1$s commit -qm second
              echo c >> b; %1$s stash -q; git stash pop -q; %1$s commit -qam third
              git branch topic; git checkout -q topic; echo d > d; git add d; %1$s commit -qm fourth
              git checkout -q main; %1$s merge -q --no-edit topic; git branch -q -d topic
              git tag v1; %1$s tag -a v2 -m two; %1$s rebase -q HEAD~1
              git worktree add -q wt; (cd wt; echo e > e; git add e; %1$s commit -qm fifth)
              git worktree remove wt; git worktree prune
              git clone -q . copy; rm -rf copy; git gc -q; git fsck --no-progress
              git reset -q --hard HEAD~1; git reflog -n 1 >/dev/null; git diff --stat HEAD~1
              git log --format=%%s | head -n 3
              """
                  .formatted(GIT));
      assertThat(result.succeeded()).as(result.stderr()).isTrue();
      assertThat(result.stdout()).endsWith("third\nsecond\nfirst\n");
      assertThat(session.run("git status --porcelain; git ls-files").stdout()).isEqualTo("a\nb\n");
    }
    assertThat(names(scene.workspace)).containsExactly(".git", "a", "b");
    assertThat(
            host(scene.workspace, "git status --porcelain && git fsck --no-dangling --no-progress"))
        .isEmpty();
  }

  @Test
  void hooksAndConfigurationOfGitStayWhatTheyAre() throws Exception {
    repository(scene.workspace);
    String config = Files.readString(scene.workspace.resolve(".git/config"));
    try (SandboxSession session = session().open()) {
      for (String attack :
          List.of(
              "echo evil > .git/hooks/pre-commit",
              "git config core.fsmonitor ./evil",
              "git config --worktree core.hooksPath .",
              "git remote add x ./x",
              "mv .git/hooks .git/h",
              "mv .git g; cp -r g .git",
              "rm -rf .git; git init -q .",
              "mv .git/config .git/c; echo evil > .git/config",
              "echo evil > .git/config.worktree",
              "ln -f .git/config hard; echo evil > hard")) {
        session.run(attack);
      }
    }
    assertThat(scene.workspace.resolve(".git/config")).hasContent(config);
    assertThat(names(scene.workspace.resolve(".git")))
        .contains("hooks", "config")
        .doesNotContain("config.worktree", "h", "c");
    assertThat(scene.workspace.resolve(".git/hooks/pre-commit")).doesNotExist();
  }

  /** Named so, a file in a git directory makes git take hooks and configuration from elsewhere. */
  @Test
  void aCommonDirectoryElsewhereIsNotTakenOver() throws Exception {
    repository(scene.workspace);
    String attack = "cp -r .git evil && echo ../evil > .git/commondir";
    try (SandboxSession plain = scene.session().open()) {
      plain.run(attack);
    }
    assertThat(host(scene.workspace, "git rev-parse --git-common-dir")).contains("evil");
    host(scene.workspace, "rm -r .git/commondir evil");

    try (SandboxSession session = session().open()) {
      assertThat(session.run("ls -A .git; git log -1 --format=%s").stdout()).endsWith("first\n");
    }
  }

  @Test
  void aWritableGitDirectoryIsProtectedToo() throws Exception {
    Path main = repository(scene.outside.resolve("main"));
    Files.delete(scene.workspace);
    host(main, "git worktree add -q " + scene.workspace);
    Path git = main.resolve(".git");
    Path admin = git.resolve("worktrees/W");
    String commondir = Files.readString(admin.resolve("commondir"));
    try (SandboxSession session = session().writable(git).open()) {
      SandboxResult result =
          session.run(
              "set -e; echo b > b; git add b; "
                  + GIT
                  + "commit -qm second; git status --porcelain; git log -1 --format=%s");
      assertThat(result.stdout()).as(result.stderr()).isEqualTo("second\n");
      for (String attack :
          List.of(
              "echo evil > %1$s/hooks/post-commit",
              "git config core.hooksPath /tmp",
              "echo evil > %1$s/config",
              "echo /evil > %1$s/worktrees/W/commondir",
              "rm %1$s/worktrees/W/commondir; echo /evil > %1$s/worktrees/W/commondir",
              "mv %1$s/worktrees/W %1$s/worktrees/V",
              "echo gitdir: /evil > .git",
              "rm -f .git; git init -q .",
              "mv .git g")) {
        session.run(attack.formatted(git));
      }
    }
    assertThat(names(git.resolve("hooks"))).doesNotContain("post-commit");
    assertThat(git.resolve("config")).content().doesNotContain("hooksPath", "evil");
    assertThat(admin.resolve("commondir")).hasContent(commondir);
    assertThat(scene.workspace.resolve(".git")).hasContent("gitdir: " + admin);
    assertThat(host(scene.workspace, "git log -1 --format=%s")).isEqualTo("second\n");
  }

  @Test
  void theFileOfALinkedWorktreeCannotBeRewrittenAndGrantsNothing() throws Exception {
    Path main = repository(scene.outside.resolve("main"));
    Files.delete(scene.workspace);
    host(main, "git worktree add -q " + scene.workspace);
    Path file = scene.workspace.resolve(".git");
    String before = Files.readString(file);
    try (SandboxSession session = session().open()) {
      assertThat(session.run("git status --porcelain && git log -1 --format=%s").stdout())
          .isEqualTo("first\n");
      for (String attack :
          List.of(
              "echo gitdir: /root > .git",
              "rm -f .git",
              "mv .git g",
              "echo x > n; mv -f n .git",
              "echo x > " + main + "/.git/hooks/post-commit")) {
        assertThat(session.run(attack).succeeded()).as(attack).isFalse();
      }
    }
    assertThat(file).hasContent(before);
    assertThat(main.resolve(".git/hooks/post-commit")).doesNotExist();
  }

  @Test
  void aSubmoduleIsProtectedWhereItsRepositoryIs() throws Exception {
    Path library = repository(scene.outside.resolve("library"));
    repository(scene.workspace);
    host(
        scene.workspace,
        GIT
            + "-c protocol.file.allow=always submodule --quiet add "
            + library
            + " libs/one && "
            + GIT
            + "commit -qm module && mkdir -p .git/modules/libs/one/hooks");
    Path module = scene.workspace.resolve(".git/modules/libs/one");
    String config = Files.readString(module.resolve("config"));
    try (SandboxSession session = session().open()) {
      session.run("echo evil > .git/modules/libs/one/hooks/post-checkout");
      session.run("git -C libs/one config core.fsmonitor ./evil");
      session.run("mv .git/modules/libs .git/modules/l");
      SandboxResult result =
          session.run(
              "cd libs/one && echo b > b && git add b && "
                  + GIT
                  + "commit -qm b && cd ../.. &&"
                  + " git add libs/one && "
                  + GIT
                  + "commit -qm moved && git status --porcelain");
      assertThat(result.succeeded()).as(result.stderr()).isTrue();
    }
    assertThat(module.resolve("config")).hasContent(config);
    assertThat(module.resolve("hooks/post-checkout")).doesNotExist();
  }

  @Test
  void aHomeThatCanBeWrittenKeepsItsStartUpFiles() throws Exception {
    Scene.write(scene.home.resolve(".bashrc"), "good");
    String plan =
        "cd "
            + scene.home
            + "; echo evil > .bashrc; echo evil > .profile; mkdir -p .config/fish;"
            + " echo evil > .config/fish/config.fish; echo ok > notes";
    Unsandboxed.End end =
        Caller.run(scene, Map.of(), "writable=" + scene.home, "protect=true", "run=" + plan);
    assertThat(end.status()).as(end.err()).isZero();
    assertThat(scene.home.resolve(".bashrc")).hasContent("good");
    assertThat(names(scene.home)).containsExactly(".bashrc", "notes");
  }

  @Test
  void aPrivateWorkspaceNeedsNoProtection() {
    try (SandboxSession session = SandboxSession.builder().protectDeveloperFiles().open()) {
      assertThat(session.run("git init -q . && git config a.b c && ls -A").stdout())
          .isEqualTo(".git\n");
    }
  }
}
