package io.zett.sandbox.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.host.GitConfig.Setting;
import org.junit.jupiter.api.Test;

class GitConfigTest {

  @Test
  void settingsAreReadAsGitReadsThem() {
    assertThat(
            GitConfig.parse(
                """
                # a comment
                [core]
                \thooksPath = tools/git ; another
                \tBare
                [include] path = "a # b"
                [includeIf "gitdir:~/x]y\\"z/"]
                    Path=one\\
                two
                [CORE]
                worktree = " spaced " \s
                editor = say \\"hi\\" \\\\ there
                = nothing
                """))
        .containsExactly(
            new Setting("core.hookspath", "tools/git"),
            new Setting("core.bare", ""),
            new Setting("include.path", "a # b"),
            new Setting("includeif.path", "onetwo"),
            new Setting("core.worktree", " spaced "),
            new Setting("core.editor", "say \"hi\" \\ there"));
  }

  @Test
  void whatIsNoConfigurationHasNoSettings() {
    assertThat(GitConfig.parse("")).isEmpty();
    assertThat(GitConfig.parse("\0\u00ff[[[\n]=\n[core\nx y z\n")).isEmpty();
  }
}
