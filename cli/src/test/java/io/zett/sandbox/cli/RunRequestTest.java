package io.zett.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.NetworkMode;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunRequestTest {
  private static final Map<String, String> HOST = Map.of("CI", "true", "EMPTY", "");

  private static RunRequest request(String... words) {
    String[] all = Stream.concat(Stream.of("run"), Stream.of(words)).toArray(String[]::new);
    return RunRequest.of(
        new ParsedOptions(Commands.lineFor("run").parseArgs(all).subcommand()),
        name -> Optional.ofNullable(HOST.get(name)));
  }

  private static List<String> arguments(String... words) {
    return request(words).command().arguments();
  }

  @Test
  void optionsEndAtTheFirstWordOfTheProgram() {
    assertThat(arguments("--network", "ls", "--json", "-c", "x"))
        .containsExactly("ls", "--json", "-c", "x");
    assertThat(request("ls", "--json").json()).isFalse();
  }

  @Test
  void optionsEndAtTheDoubleDash() {
    assertThat(arguments("--", "--help")).containsExactly("--help");
    assertThat(arguments("--json", "--", "-c", "x")).containsExactly("-c", "x");
    assertThat(arguments("--", "--bind", "/", "/", "sh")).containsExactly("--bind", "/", "/", "sh");
  }

  @Test
  void onlyTheFirstDoubleDashIsTaken() {
    assertThat(arguments("--", "--", "ls")).containsExactly("--", "ls");
    assertThat(arguments("sh", "--", "x")).containsExactly("sh", "--", "x");
  }

  @Test
  void argumentsArriveAsTheyWereTyped() {
    String[] odd = {"printf", "", "a b", "\"q\"", "'", "*", "@file", "${HOME}", "ü", "\\", "-"};
    assertThat(arguments(odd)).containsExactly(odd);
  }

  @Test
  void aShellStringMayLookLikeAnOption() {
    assertThat(request("-c", "--help").command()).isEqualTo(SandboxCommand.shell("--help"));
    assertThat(request("-c", "echo \"$0\"", "--json").json()).isTrue();
  }

  @Test
  void thereIsNoTimeLimitUnlessOneIsGiven() {
    assertThat(request("true").policy().timeout()).isEmpty();
    assertThat(request("--timeout", "none", "true").policy().timeout()).isEmpty();
    assertThat(request("--timeout", "2", "--timeout=none", "true").policy().timeout()).isEmpty();
  }

  @Test
  void secondsMayHaveAFraction() {
    assertThat(request("--timeout", "2", "x").policy().timeout()).hasValue(Duration.ofSeconds(2));
    assertThat(request("--timeout", "0.25", "x").policy().timeout())
        .hasValue(Duration.ofMillis(250));
    assertThat(request("--timeout", ".5", "x").policy().timeout()).hasValue(Duration.ofMillis(500));
  }

  @Test
  void aTimeThatIsNoneIsRefused() {
    for (String text : List.of("0", "-1", "1e3", "NaN", "5s", "", " ", "Infinity", "0x10")) {
      assertThatThrownBy(() -> request("--timeout", text, "true"))
          .isInstanceOf(UsageException.class)
          .hasMessageStartingWith("--timeout: ");
    }
  }

  @Test
  void everyOptionReachesThePolicy() {
    SandboxPolicy policy =
        request(
                "--memory=512MB",
                "--cpus",
                "1.5",
                "--cpu-seconds",
                "60",
                "--processes",
                "32",
                "--max-file-size",
                "1G",
                "--open-files",
                "64",
                "--scratch-size",
                "64M",
                "--network",
                "--writable",
                "/var/a",
                "--writable",
                "/var/b",
                "--deny-write",
                "/var/a/x",
                "--deny-read",
                "/srv/s",
                "--allow-read",
                "/srv/s/p",
                "--home",
                "private",
                "--backend",
                "bubblewrap",
                "--require-isolation",
                "--block-unix-sockets",
                "--protect-developer-files",
                "--memory-strategy",
                "rlimit",
                "--env",
                "A=b=c",
                "true")
            .policy();
    assertThat(policy)
        .isEqualTo(
            SandboxPolicy.builder()
                .memory(512_000_000)
                .cpus(1.5)
                .cpuSeconds(60)
                .processes(32)
                .maxFileSize(1L << 30)
                .openFiles(64)
                .scratchSize(64L << 20)
                .network(NetworkMode.UNRESTRICTED)
                .writable(Path.of("/var/a"), Path.of("/var/b"))
                .denyWrite(Path.of("/var/a/x"))
                .denyRead(Path.of("/srv/s"))
                .allowRead(Path.of("/srv/s/p"))
                .home(HomeMode.PRIVATE)
                .backend(SandboxBackend.BUBBLEWRAP)
                .requireIsolation(true)
                .blockUnixSockets(true)
                .protectDeveloperFiles()
                .memoryStrategy(MemoryStrategy.RLIMIT)
                .env("A", "b=c")
                .noTimeout()
                .build());
  }

  @Test
  void ofScalarsTheLastWins() {
    assertThat(request("--memory", "1G", "--memory", "2G", "true").policy().memory())
        .hasValue(2L << 30);
  }

  @Test
  void aRepeatableOptionTakesOneValueEachTime() {
    RunRequest request = request("--writable", "/a", "/b", "--writable", "/c");
    assertThat(request.policy().writable()).containsExactly(Path.of("/a"));
    assertThat(request.command().arguments()).containsExactly("/b", "--writable", "/c");
  }

  @Test
  void theWorkspaceIsPrivateUnlessGiven() {
    assertThat(request("true").workspace()).isNull();
    assertThat(request("--workspace", ".", "true").workspace()).isEqualTo(Path.of("."));
  }

  @Test
  void aVariableWithoutAValueIsTheCallers() {
    assertThat(request("--env", "CI", "--env", "EMPTY", "--env", "X=", "true").policy().env())
        .containsOnly(Map.entry("CI", "true"), Map.entry("EMPTY", ""), Map.entry("X", ""));
  }

  @Test
  void aMissingVariableOfTheCallerIsNamed() {
    assertThatThrownBy(() -> request("--env", "NOT_THERE", "true"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("NOT_THERE");
  }

  @Test
  void aVariableWithoutANameIsRefusedWithoutShowingItsValue() {
    assertThatThrownBy(() -> request("--env", "=secret", "true"))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--env: ")
        .hasMessageNotContaining("secret");
  }

  @Test
  void aTildeThatNoShellExpandedIsRefused() {
    for (String option : List.of("--workspace", "--writable", "--deny-read", "--cwd")) {
      assertThatThrownBy(() -> request(option, "~/x", "true"))
          .isInstanceOf(UsageException.class)
          .hasMessageStartingWith(option + ": ")
          .hasMessageContaining("$HOME");
    }
  }

  @Test
  void theDirectoryAndTheCapBelongToTheCommand() {
    SandboxCommand command = request("--cwd", "sub", "--max-output-bytes", "10", "ls").command();
    assertThat(command.cwd()).hasValue(Path.of("sub"));
    assertThat(command.maxOutputBytes()).isEqualTo(10);
    assertThat(request("ls").command().maxOutputBytes()).isEqualTo(1_048_576);
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    for (String[] words :
        new String[][] {
          {"--cpus", "-1"},
          {"--cpus", "many"},
          {"--cpu-seconds", "1.5"},
          {"--processes", "1"},
          {"--processes", "99999999999"},
          {"--open-files", "3"},
          {"--memory", "512"},
          {"--max-output-bytes", "1K"},
          {"--cpu-seconds", "99999999999999999999"}
        }) {
      assertThatThrownBy(() -> request(words[0], words[1], "true"))
          .isInstanceOf(UsageException.class)
          .hasMessageStartingWith(words[0] + ": ");
    }
  }
}
