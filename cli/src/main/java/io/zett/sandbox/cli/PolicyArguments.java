package io.zett.sandbox.cli;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The policy that a command line asks for: what a file says, if one is named, and over it what the
 * options say.
 *
 * @param file null without one
 */
record PolicyArguments(SandboxPolicy policy, @Nullable LoadedPolicy file) {

  /**
   * Reads those options that the command has and that were given.
   *
   * @param hostVariable the caller's variables
   * @throws UsageException if one of them, or the file, cannot be used
   */
  static PolicyArguments of(ParseResult parsed, Function<String, Optional<String>> hostVariable) {
    // A command line is watched by whoever typed it: no time limit unless one is asked for.
    SandboxPolicy usual = SandboxPolicy.builder().noTimeout().build();
    return of(parsed, PolicyOption.ALL, hostVariable, usual);
  }

  /**
   * The same with other options.
   *
   * @param options those to look for
   * @param usual what holds where nothing else is said
   */
  static PolicyArguments of(
      ParseResult parsed,
      List<PolicyOption> options,
      Function<String, Optional<String>> hostVariable,
      SandboxPolicy usual) {
    if (values(parsed, "--policy").size() > 1) {
      throw new UsageException("--policy: is given twice; put all of it into one file");
    }
    Optional<String> name = last(parsed, "--policy");
    LoadedPolicy file = name.isEmpty() ? null : LoadedPolicy.of(name.get(), hostVariable);
    SandboxPolicy.Builder policy = (file == null ? usual : file.over(usual)).toBuilder();
    if (file != null) {
      file.protectIn(policy);
    }
    for (PolicyOption option : options) {
      if (option.label() == null) {
        if (parsed.hasMatchedOption(option.name())) {
          option.applyTo(policy, "");
        }
      } else {
        values(parsed, option.name()).forEach(value -> option.applyTo(policy, value));
      }
    }
    values(parsed, "--env").forEach(text -> Variable.of(text, hostVariable).applyTo(policy));
    SandboxPolicy built = policy.build();
    if (file != null) {
      List<Path> writable = new ArrayList<>(built.writable());
      Path workspace = workspace(parsed);
      if (workspace != null) {
        writable.add(workspace);
      }
      file.refuseReplaceable(writable);
    }
    return new PolicyArguments(built, file);
  }

  /** What the named file says, with the library's own defaults; these alone without one. */
  static SandboxPolicy fileAlone(
      ParseResult parsed, Function<String, Optional<String>> hostVariable) {
    SandboxPolicy usual = SandboxPolicy.builder().build();
    return last(parsed, "--policy")
        .map(name -> LoadedPolicy.of(name, hostVariable).over(usual))
        .orElse(usual);
  }

  /** The workspace; null for a private one. */
  static @Nullable Path workspace(ParseResult parsed) {
    return last(parsed, "--workspace").map(text -> path("--workspace", text)).orElse(null);
  }

  /** A session that is not open yet; without a workspace it has a private one. */
  static SandboxSession session(SandboxPolicy policy, @Nullable Path workspace) {
    SandboxSession.Builder session = SandboxSession.builder(policy);
    return (workspace == null ? session : session.workspace(workspace)).build();
  }

  static Path path(String option, String text) {
    try {
      return CallerPath.of(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(option + ": " + e.getMessage());
    }
  }

  static Optional<String> last(ParseResult parsed, String option) {
    List<String> values = values(parsed, option);
    return values.isEmpty() ? Optional.empty() : Optional.of(values.getLast());
  }

  /** Every value given, as it was typed. */
  private static List<String> values(ParseResult parsed, String name) {
    OptionSpec option = parsed.matchedOption(name);
    return option == null ? List.of() : option.originalStringValues();
  }
}
