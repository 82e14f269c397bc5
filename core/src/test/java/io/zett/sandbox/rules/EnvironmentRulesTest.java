package io.zett.sandbox.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvironmentRulesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "SHELL",
        "LANG",
        "LANGUAGE",
        "LC_ALL",
        "LC_CTYPE",
        "TZ",
        "TERM",
        "COLORTERM",
        "NO_COLOR",
        "FORCE_COLOR",
        "CLICOLOR",
        "JAVA_HOME"
      })
  void whatProgramsNeedPasses(String name) {
    assertThat(EnvironmentRules.passes(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "API_TOKEN",
        "MY_SECRET",
        "DB_PASSWORD",
        "DB_PASSWD",
        "OPENAI_API_KEY",
        "SSH_KEY",
        "CREDENTIALS",
        "AWS_PROFILE",
        "GITHUB_ACTIONS",
        "GH_HOST",
        "GITLAB_CI",
        "CI_JOB_TOKEN",
        "SSH_AUTH_SOCK",
        "SSH_AGENT_PID",
        "GPG_AGENT_INFO",
        "DBUS_SESSION_BUS_ADDRESS",
        "XDG_RUNTIME_DIR",
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "KUBECONFIG",
        "DOCKER_HOST",
        "VAULT_ADDR",
        "JAVA_TOOL_OPTIONS",
        "JDK_JAVA_OPTIONS",
        "MAVEN_OPTS",
        "LD_PRELOAD",
        "LD_LIBRARY_PATH",
        "LD_AUDIT",
        "BASH_ENV",
        "ENV",
        "PYTHONSTARTUP",
        "NODE_OPTIONS",
        "PERL5OPT",
        "RUBYOPT",
        "GIT_SSH_COMMAND",
        "TMPDIR",
        "LC_TOKEN",
        "LC_MY_API_KEY",
        "lc_all",
        "",
        "ANYTHING_ELSE"
      })
  void secretsAndWhatSteersProgramsDoNotPass(String name) {
    assertThat(EnvironmentRules.passes(name)).isFalse();
  }

  @Test
  void theCommandsVariablesWinOverTheSessionsAndThoseOverTheHosts() {
    Map<String, String> composed =
        EnvironmentRules.compose(
            Map.of("PATH", "host", "HOME", "host", "TZ", "host", "API_TOKEN", "t"),
            EnvironmentRules.provided("/tmp", Optional.of("/tmp/.cache")),
            Map.of("HOME", "session", "TZ", "session", "TMP", "session"),
            Map.of("TZ", "command"));
    assertThat(composed)
        .containsExactly(
            Map.entry("HOME", "session"),
            Map.entry("PATH", "host"),
            Map.entry("TEMP", "/tmp"),
            Map.entry("TMP", "session"),
            Map.entry("TMPDIR", "/tmp"),
            Map.entry("TZ", "command"),
            Map.entry("XDG_CACHE_HOME", "/tmp/.cache"));
  }

  @Test
  void whatIsAskedForByNameReachesTheCommandWhateverItIsCalled() {
    assertThat(
            EnvironmentRules.compose(
                Map.of(),
                EnvironmentRules.provided("/tmp", Optional.empty()),
                Map.of("LD_PRELOAD", "x"),
                Map.of("GITHUB_TOKEN", "y")))
        .containsOnlyKeys("LD_PRELOAD", "GITHUB_TOKEN", "TMPDIR", "TMP", "TEMP");
  }
}
