package io.zett.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class McpRequestTest {
  private static final Map<String, String> HOST = Map.of("CI", "true");

  private static McpRequest request(String... words) {
    String[] all = Stream.concat(Stream.of("mcp"), Stream.of(words)).toArray(String[]::new);
    return McpRequest.of(
        Commands.lineFor("mcp").parseArgs(all).subcommand(),
        name -> Optional.ofNullable(HOST.get(name)));
  }

  @Test
  void withoutOptionsTheWorkspaceIsPrivateAndWhatTheHostObeysIsProtected() {
    McpRequest request = request();
    assertThat(request.workspace()).isNull();
    assertThat(request.policy().protectsDeveloperFiles()).isTrue();
    assertThat(request.policy().timeout()).contains(Duration.ofMinutes(2));
    assertThat(request("--protect-developer-files").policy()).isEqualTo(request.policy());
  }

  @Test
  void optionsMakeThePolicy() {
    McpRequest request =
        request(
            "--workspace",
            "/tmp",
            "--memory",
            "1G",
            "--timeout",
            "7",
            "--warm",
            "2",
            "--env",
            "CI");
    assertThat(request.workspace()).isEqualTo(Path.of("/tmp"));
    assertThat(request.policy().memory()).hasValue(1L << 30);
    assertThat(request.policy().timeout()).contains(Duration.ofSeconds(7));
    assertThat(request.policy().warm()).isEqualTo(2);
    assertThat(request.policy().env()).containsEntry("CI", "true");
  }

  @Test
  void theProtectionIsTurnedOffByItsOwnOption() {
    assertThat(request("--no-protect-developer-files").policy().protectsDeveloperFiles()).isFalse();
    assertThatThrownBy(() -> request("--no-protect-developer-files", "--protect-developer-files"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("leave one out");
  }

  @Test
  void whoeverWaitsForACommandNeedsALimit() {
    assertThatThrownBy(() -> request("--timeout", "none"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--timeout: \"none\"");
  }

  @Test
  void withoutTheServerTheCommandSaysHowToGetIt() {
    Spoken refused = Spoken.by("mcp");
    assertThat(refused.status()).isEqualTo(125);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("the MCP server is not part of this program");
  }
}
