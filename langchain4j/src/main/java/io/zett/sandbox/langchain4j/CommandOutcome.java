package io.zett.sandbox.langchain4j;

import io.zett.sandbox.tools.CommandReport;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the command of a tool call ended, from the attributes of its result.
 *
 * <pre>{@code
 * .afterToolExecution(execution ->
 *     CommandOutcome.of(execution.attributes()).ifPresent(how -> log(how.outcome(), how.exitCode())))
 * }</pre>
 *
 * <p>The attributes are plain texts, numbers and lists, so that a chat memory can keep them: those
 * of a stored {@code ToolExecutionResultMessage} are read as well. What the command wrote is not
 * among them; it is in the text.
 *
 * @param id by which {@code read_output} finds what it wrote
 * @param outcome how it ended
 * @param exitCode as a shell shows it: the status, or 128 and the signal
 * @param limit the limit that ended it, such as {@code memory}; null for none
 * @param limitsHit every limit that is known to have refused or ended something
 */
public record CommandOutcome(
    String id,
    CommandReport.Outcome outcome,
    int exitCode,
    @Nullable String limit,
    List<String> limitsHit) {

  private static final List<String> NAMES =
      List.of(
          "id",
          "cwd",
          "outcome",
          "exitCode",
          "timedOut",
          "limit",
          "limitsHit",
          "stdoutTruncated",
          "stderrTruncated",
          "wallSeconds");

  /** Copies the list. */
  public CommandOutcome {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(outcome, "outcome");
    limitsHit = List.copyOf(limitsHit);
  }

  /** Of a report without what the command wrote; empty when it is none of a command. */
  static Map<String, Object> attributes(Map<String, Object> report) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    if (report.containsKey("outcome")) {
      for (String name : NAMES) {
        Object value = report.get(name);
        if (value != null) {
          attributes.put(name, value);
        }
      }
    }
    return attributes;
  }

  /**
   * From the attributes of a tool's result.
   *
   * @return empty when no command was run to its end: another tool, or a call that was in error
   */
  public static Optional<CommandOutcome> of(Map<String, ?> attributes) {
    if (!(attributes.get("id") instanceof String id)
        || !(attributes.get("outcome") instanceof String word)
        || !(attributes.get("exitCode") instanceof Number status)) {
      return Optional.empty();
    }
    List<String> hit =
        attributes.get("limitsHit") instanceof List<?> list
            ? list.stream().map(String::valueOf).toList()
            : List.of();
    return Arrays.stream(CommandReport.Outcome.values())
        .filter(outcome -> outcome.wireName().equals(word))
        .findFirst()
        .map(
            outcome ->
                new CommandOutcome(
                    id,
                    outcome,
                    status.intValue(),
                    attributes.get("limit") instanceof String limit ? limit : null,
                    hit));
  }
}
