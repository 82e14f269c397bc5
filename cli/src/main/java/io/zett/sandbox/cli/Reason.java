package io.zett.sandbox.cli;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxResult;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;

/** The one line that says why a run was ended; a command that ended by itself has none. */
final class Reason {
  private static final String ENDED = "; the command and everything it started were ended";

  private Reason() {}

  static Optional<String> of(SandboxResult result, Signals signals) {
    String signal = signals.reason();
    if (signal != null) {
      return Optional.of("canceled by " + signal + ENDED);
    }
    return switch (result.outcome()) {
      case Outcome.Exited _, Outcome.Signaled _ -> Optional.empty();
      case Outcome.TimedOut(Duration limit) ->
          Optional.of("timed out after " + seconds(limit) + " s" + ENDED);
      case Outcome.LimitExceeded(var limit) ->
          Optional.of("the limit " + limit.wireName() + " was exceeded" + ENDED);
      case Outcome.Canceled(String reason) -> Optional.of("canceled: " + reason + ENDED);
    };
  }

  private static String seconds(Duration duration) {
    BigDecimal seconds =
        BigDecimal.valueOf(duration.getSeconds())
            .add(BigDecimal.valueOf(duration.getNano(), 9))
            .stripTrailingZeros();
    return seconds.toPlainString();
  }
}
