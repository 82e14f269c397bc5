package io.zett.sandbox.tools;

import java.util.Map;
import java.util.Objects;

/**
 * The outcome of a tool call by name, for adapters.
 *
 * @param text for the model: the report's, or what was wrong with the call
 * @param structured the report's; empty when the call was in error
 * @param isError whether the tool could not do what it was asked; a command that fails is no error
 * @param commandFailed {@link ToolReport#failed()}
 */
public record ToolResult(
    String text, Map<String, Object> structured, boolean isError, boolean commandFailed) {

  /** Refuses null. */
  public ToolResult {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(structured, "structured");
  }

  static ToolResult of(ToolReport report) {
    return new ToolResult(report.text(), report.structured(), false, report.failed());
  }

  static ToolResult of(ToolException e) {
    return new ToolResult(String.valueOf(e.getMessage()), Map.of(), true, false);
  }
}
