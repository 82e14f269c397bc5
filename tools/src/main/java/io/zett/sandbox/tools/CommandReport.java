package io.zett.sandbox.tools;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a command that has ended did.
 *
 * @param id by which {@code read_output} finds the rest of what it wrote, while it is kept
 * @param cwd where it was started
 * @param outcome how it ended
 * @param exitCode as a shell shows it: the status, or 128 and the signal
 * @param limit the limit that ended it, such as {@code memory}; null for none
 * @param limitsHit every limit that is known to have refused or ended something
 * @param stdout the end of its output
 * @param stderr the end of its error output
 * @param wallSeconds from its first instruction to its end
 */
public record CommandReport(
    String id,
    String cwd,
    Outcome outcome,
    int exitCode,
    @Nullable String limit,
    List<String> limitsHit,
    OutputPart stdout,
    OutputPart stderr,
    double wallSeconds)
    implements ToolReport {

  /** How a command ended. */
  public enum Outcome {
    /** By itself. */
    EXITED,
    /** By a signal. */
    SIGNALED,
    /** Its time was up. */
    TIMED_OUT,
    /** It used too much of something. */
    LIMIT_EXCEEDED,
    /** It was stopped by its caller, or the sandbox was closed. */
    CANCELED;

    /** The word for it in JSON, such as {@code timed_out}. */
    public String wireName() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** Copies the list. */
  public CommandReport {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(cwd, "cwd");
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(stdout, "stdout");
    Objects.requireNonNull(stderr, "stderr");
    limitsHit = List.copyOf(limitsHit);
  }

  /** Whether its time was up. */
  public boolean timedOut() {
    return outcome == Outcome.TIMED_OUT;
  }

  @Override
  public boolean failed() {
    return outcome != Outcome.EXITED || exitCode != 0;
  }

  /**
   * Tagged text. What the command wrote comes last and as it is: a tag in it is the command's own.
   */
  @Override
  public String text() {
    StringBuilder text = new StringBuilder();
    Tags.line(text, "working_directory", cwd);
    if (outcome != Outcome.EXITED) {
      Tags.line(text, "outcome", outcome.wireName());
    }
    if (limit != null) {
      Tags.line(text, "limit", limit);
    } else if (!limitsHit.isEmpty()) {
      Tags.line(text, "limits_hit", String.join(", ", limitsHit));
    }
    Tags.line(text, "exit_code", Integer.toString(exitCode));
    part(text, "stdout", stdout);
    part(text, "stderr", stderr);
    return text.toString();
  }

  private void part(StringBuilder text, String name, OutputPart part) {
    if (part.truncated()) {
      Tags.line(
          text,
          name + "_truncated",
          "the first "
              + part.from()
              + " of "
              + part.total()
              + " bytes are left out; read_output with id "
              + id
              + " and stream "
              + name
              + " reads them while they are kept");
    }
    Tags.block(text, name, part.text());
  }

  @Override
  public Map<String, Object> structured() {
    return new Fields()
        .put("id", id)
        .put("cwd", cwd)
        .put("outcome", outcome.wireName())
        .put("exitCode", exitCode)
        .put("timedOut", timedOut())
        .put("limit", limit)
        .put("limitsHit", limitsHit)
        .put("stdout", stdout.text())
        .put("stderr", stderr.text())
        .put("stdoutTruncated", stdout.truncated())
        .put("stderrTruncated", stderr.truncated())
        .put("stdoutTotalBytes", stdout.total())
        .put("stderrTotalBytes", stderr.total())
        .put("wallSeconds", wallSeconds)
        .map();
  }
}
