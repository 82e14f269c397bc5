package io.zett.sandbox.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.DeveloperFile.Place;
import io.zett.sandbox.rules.PathRule.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeveloperFilesTest {

  private static DeveloperFile only(String line) {
    return DeveloperFiles.parse(line).getFirst();
  }

  @Test
  void theFormOfAnEntryTellsWhereAndWhenItHolds() {
    assertThat(only(".vscode/ # tasks"))
        .isEqualTo(new DeveloperFile(".vscode", Place.TOP, false, true, "tasks"));
    assertThat(only("?.envrc # x"))
        .isEqualTo(new DeveloperFile(".envrc", Place.TOP, true, false, "x"));
    assertThat(only(".git/worktrees/*/gitdir # x"))
        .isEqualTo(new DeveloperFile("worktrees/*/gitdir", Place.GIT, true, false, "x"));
    assertThat(only("~/.config/fish/ # x"))
        .isEqualTo(new DeveloperFile(".config/fish", Place.HOME, false, true, "x"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "?", "~/", "~", "a/../b", "./a", "a//b", "/etc", "b~"})
  void anEntryOfAnotherFormIsRefused(String entry) {
    assertThatThrownBy(() -> DeveloperFiles.parse(entry + " # x"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void everyEntrySaysWhatItIs() {
    assertThat(DeveloperFiles.entries())
        .hasSizeGreaterThan(50)
        .allSatisfy(entry -> assertThat(entry.about()).isNotBlank())
        .extracting(entry -> entry.place() + entry.path())
        .doesNotHaveDuplicates();
    assertThatThrownBy(() -> DeveloperFiles.parse(".vscode/"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void gitMeetsNothingThatItCannotBear() {
    assertThat(DeveloperFiles.standsAsDirectory("hooks")).isTrue();
    assertThat(DeveloperFiles.standsAsDirectory(".mcp.json")).isTrue();
    assertThat(DeveloperFiles.standsAsDirectory("config.worktree")).isFalse();
    assertThat(DeveloperFiles.hasNoStandIn("commondir")).isTrue();
  }

  @Test
  void itIsReadableAndNotWritableUnlessALongerRuleSaysSo() {
    UnixPath work = UnixPath.ofText("/w");
    PathRules rules =
        PathRules.of(
            List.of(
                new PathRule(work, Kind.WRITABLE),
                new PathRule(work.resolve(".vscode"), Kind.DEVELOPER_FILE),
                new PathRule(work.resolve(".vscode"), Kind.WRITABLE),
                new PathRule(work.resolve(".vscode/cache"), Kind.WRITABLE)));
    assertThat(rules.access(work.resolve(".vscode/tasks.json"))).isEqualTo(Access.READ);
    assertThat(rules.access(work.resolve(".vscode/cache/x"))).isEqualTo(Access.WRITE);
    assertThat(rules.deciding(work.resolve(".vscode")).orElseThrow().kind())
        .isEqualTo(Kind.DEVELOPER_FILE);
  }
}
