package io.zett.sandbox.cli;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What a command line that cannot be parsed is told. */
final class WrongUsage {
  private WrongUsage() {}

  static UsageException of(ParameterException problem) {
    CommandSpec spec = problem.getCommandLine().getCommandSpec();
    String see = "see: " + spec.qualifiedName() + " --help";
    return switch (problem) {
      case UnmatchedArgumentException e -> {
        String word = e.getUnmatched().getFirst();
        String what =
            word.startsWith("-")
                ? "unknown option: "
                : !spec.subcommands().isEmpty() ? "unknown command: " : "one word too many: ";
        yield new UsageException(what + word, fix(e.getSuggestions(), see));
      }
      case MissingParameterException e
          when e.getMissing().getFirst() instanceof OptionSpec option ->
          new UsageException(option.longestName() + " needs a value: " + option.paramLabel(), see);
      default -> new UsageException(firstLower(problem.getMessage()), see);
    };
  }

  /** Whether {@code --json} stands among the options of {@code zett run}. */
  static boolean wantsJson(List<String> words) {
    if (words.isEmpty() || !words.getFirst().equals("run")) {
      return false;
    }
    CommandSpec run = RunOptions.spec();
    for (int i = 1; i < words.size(); i++) {
      String word = words.get(i);
      if (word.equals("--json")) {
        return true;
      }
      if (word.equals("--") || !word.startsWith("-")) {
        return false; // what follows is the program's
      }
      OptionSpec option = run.findOption(word);
      if (option != null && option.arity().min() > 0) {
        i++; // its value
      }
    }
    return false;
  }

  private static String fix(List<String> suggestions, String see) {
    return suggestions.isEmpty() ? see : "did you mean " + suggestions.getFirst() + "? " + see;
  }

  private static String firstLower(@Nullable String text) {
    return text == null || text.isEmpty()
        ? "wrong usage"
        : text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
  }
}
