package io.zett.sandbox.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Names of variables are one whatever their case. */
class WindowsVariablesTest {

  @Test
  void theSystemsOwnPassWhateverTheirCase() {
    Map<String, String> host =
        Map.of(
            "Path", "p", "SYSTEMROOT", "r", "comspec", "c", "PATHEXT", ".EXE", "AWS_SECRET", "s");
    assertThat(WindowsVariables.compose(host, Map.of(), Map.of(), Map.of()))
        .containsOnlyKeys("Path", "SYSTEMROOT", "comspec", "PATHEXT");
  }

  @Test
  void theLaterValueReplacesTheSameNameInAnotherCase() {
    Map<String, String> composed =
        WindowsVariables.compose(
            Map.of("Path", "host"),
            Map.of("TEMP", "scratch"),
            Map.of("temp", "session"),
            Map.of("PATH", "command"));
    assertThat(composed)
        .containsExactlyInAnyOrderEntriesOf(Map.of("PATH", "command", "temp", "session"));
  }

  @Test
  void secretsDoNotPass() {
    assertThat(WindowsVariables.passes("LC_API_KEY")).isFalse();
    assertThat(WindowsVariables.passes("GITHUB_TOKEN")).isFalse();
  }
}
