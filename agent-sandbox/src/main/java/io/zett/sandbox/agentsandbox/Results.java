package io.zett.sandbox.agentsandbox;

import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxResult;
import java.time.Duration;
import org.springaicommunity.sandbox.ExecResult;

/** Results in the terms of agent-sandbox, which has no fields for what was cut or ended. */
final class Results {
  private Results() {}

  static ExecResult of(SandboxResult result) {
    StringBuilder stdout = new StringBuilder(result.stdout());
    StringBuilder stderr = new StringBuilder(result.stderr());
    if (result.stdoutTruncated()) {
      cut(stdout, result.stdoutBytes().length, result.stdoutTotalBytes());
    }
    if (result.stderrTruncated()) {
      cut(stderr, result.stderrBytes().length, result.stderrTotalBytes());
    }
    if (result.outcome() instanceof Outcome.LimitExceeded(Limit limit)) {
      line(stderr).append("zett: ended by its limit of ").append(limit.wireName()).append('\n');
    }
    Duration wall = result.usage().wall();
    return new ExecResult(result.exitCode(), stdout.toString(), stderr.toString(), wall);
  }

  private static void cut(StringBuilder text, long kept, long total) {
    line(text).append("zett: only the first ").append(kept);
    text.append(" of ").append(total).append(" bytes are here\n");
  }

  private static StringBuilder line(StringBuilder text) {
    return text.isEmpty() || text.charAt(text.length() - 1) == '\n' ? text : text.append('\n');
  }
}
