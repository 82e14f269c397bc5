package io.zett.sandbox.cli;

import io.zett.sandbox.SandboxPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The options of one command as they were typed. */
record ParsedOptions(ParseResult parsed) {

  boolean has(String name) {
    return parsed.hasMatchedOption(name);
  }

  /** What stands behind the options. */
  List<String> words() {
    return parsed.matchedPositionalValue(0, List.of());
  }

  Optional<String> last(String name) {
    List<String> values = values(name);
    return values.isEmpty() ? Optional.empty() : Optional.of(values.getLast());
  }

  /**
   * The last value as a path.
   *
   * @throws UsageException if it is none
   */
  Optional<Path> path(String name) {
    return last(name).map(text -> path(name, text));
  }

  private static Path path(String name, String text) {
    try {
      return CallerPath.of(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(name + ": " + e.getMessage());
    }
  }

  /**
   * Adds what was typed to a policy.
   *
   * @param options those to look for
   * @param hostVariable the caller's variables
   * @throws UsageException if a value cannot be used
   */
  SandboxPolicy policy(
      SandboxPolicy.Builder policy,
      List<PolicyOption> options,
      Function<String, Optional<String>> hostVariable) {
    for (PolicyOption option : options) {
      if (option.label() == null) {
        if (has(option.name())) {
          option.applyTo(policy, "");
        }
      } else {
        values(option.name()).forEach(value -> option.applyTo(policy, value));
      }
    }
    values("--env").forEach(text -> Variable.of(text, hostVariable).applyTo(policy));
    return policy.build();
  }

  /** Every value given, as it was typed. */
  private List<String> values(String name) {
    OptionSpec option = parsed.matchedOption(name);
    return option == null ? List.of() : option.originalStringValues();
  }
}
