package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A workspace whose repository lies outside it, as that of a linked git worktree does. */
class WorktreeTest {

  private static final String GIT = "git -c user.name=n -c user.email=e@example.com ";

  @TempDir Path temporary;
  private Scene scene;
  private Path repository;

  @BeforeEach
  void worktree() throws Exception {
    scene = new Scene(temporary);
    repository = scene.outside.resolve("main/.git");
    Files.delete(scene.workspace);
    Unsandboxed.End made =
        Unsandboxed.shell(
            scene.outside,
            "git init -q main && cd main && echo a > a && git add a && "
                + GIT
                + "commit -qm first && git worktree add -q "
                + scene.workspace
                + " && mkdir -p .git/hooks");
    assertThat(made.status()).as(made.err()).isZero();
  }

  @Test
  void itsHistoryCanBeReadAndNothingOfItWritten() throws Exception {
    Path hook = repository.resolve("hooks/post-commit");
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run("git status --short; git log -1 --format=%s; echo x > " + hook);

      assertThat(result.stdout()).isEqualTo("first\n");
      assertThat(result.succeeded()).isFalse();
      assertThat(session.run(GIT + "commit -q --allow-empty -m no").succeeded()).isFalse();
    }
    assertThat(hook).doesNotExist();
  }

  @Test
  void grantedItsRepositoryItCommitsAndTheHooksStayProtected() throws Exception {
    Path hooks = repository.resolve("hooks");
    try (SandboxSession session =
        scene
            .session()
            .writable(repository)
            .denyWrite(hooks, repository.resolve("config"))
            .open()) {
      SandboxResult result =
          session.run(
              "echo b > b; git add b; "
                  + GIT
                  + "commit -qm second; git log -1 --format=%s; echo x > "
                  + hooks
                  + "/post-commit; mv "
                  + hooks
                  + " "
                  + hooks
                  + "2; git config core.hooksPath /tmp");

      assertThat(result.stdout()).isEqualTo("second\n");
    }
    assertThat(hooks.resolve("post-commit")).doesNotExist();
    assertThat(repository.resolve("config")).content().doesNotContain("hooksPath");
  }

  @Test
  void aRewrittenGitFileWidensNoGrant() throws Exception {
    Path other = Files.createDirectories(scene.base.resolve("other"));
    try (SandboxSession session = scene.session().open()) {
      session.run("echo gitdir: " + other + " > .git");
      session.run("echo x > " + other + "/new; git init -q; git status");
    }
    try (SandboxSession session = scene.session().open()) {
      session.run("echo x > " + other + "/new");
    }
    assertThat(other).isEmptyDirectory();
  }
}
