package io.zett.sandbox.tools;

import java.util.Map;

/** What a tool answers. */
public sealed interface ToolReport
    permits Capabilities,
        CommandReport,
        DirectoryReport,
        FileReport,
        InputReport,
        OutputReport,
        StartReport,
        WriteReport {

  /** The answer as a model reads it. */
  String text();

  /**
   * The same as maps, lists, texts, numbers, booleans and nulls, with the fields of {@link
   * ToolDescription#results()}. Unmodifiable.
   */
  Map<String, Object> structured();

  /**
   * Whether a command ended otherwise than with exit status 0. That is an answer, not an error of
   * the tool; some frameworks mark it as an error nevertheless.
   */
  default boolean failed() {
    return false;
  }
}
