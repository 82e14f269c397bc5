package io.zett.sandbox.cli;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSession;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/**
 * What {@code zett mcp} was asked to serve.
 *
 * @param workspace null for a private one
 */
record McpRequest(SandboxPolicy policy, @Nullable Path workspace, boolean verbose) {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /**
   * Reads the parsed options.
   *
   * @param hostVariable the caller's variables
   * @throws UsageException if one of them cannot be used
   * @throws IllegalArgumentException if the library refuses their combination
   */
  static McpRequest of(ParseResult parsed, Function<String, Optional<String>> hostVariable) {
    boolean unprotected = parsed.hasMatchedOption(McpOptions.NO_PROTECT);
    if (unprotected && parsed.hasMatchedOption(McpOptions.PROTECT)) {
      throw new UsageException(
          McpOptions.NO_PROTECT + " and " + McpOptions.PROTECT + " are given: leave one out");
    }
    SandboxPolicy.Builder policy = SandboxPolicy.builder().timeout(TIMEOUT);
    if (!unprotected) {
      // Nobody looks at what an agent's commands write before an editor or git obeys it.
      policy.protectDeveloperFiles();
    }
    return new McpRequest(
        PolicyArguments.of(parsed, McpOptions.policy(), hostVariable, policy.build()).policy(),
        PolicyArguments.workspace(parsed),
        parsed.hasMatchedOption("--verbose"));
  }

  SandboxSession session() {
    return PolicyArguments.session(policy, workspace);
  }
}
