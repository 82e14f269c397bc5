package io.zett.sandbox.tools;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a model is told about a tool. Composed for one sandbox: it says what is allowed there.
 *
 * @param tool which one
 * @param title a few words for people
 * @param description for models: what it does, and what surprises
 * @param parameters in the order to show them
 * @param results the fields of {@link ToolReport#structured()}, in order
 * @param readOnly whether it changes nothing
 * @param destructive whether it can remove or replace what is there
 * @param openWorld whether it can reach the network
 */
public record ToolDescription(
    ToolName tool,
    String title,
    String description,
    List<ToolField> parameters,
    List<ToolField> results,
    boolean readOnly,
    boolean destructive,
    boolean openWorld) {

  /** Copies the lists. */
  public ToolDescription {
    Objects.requireNonNull(tool, "tool");
    Objects.requireNonNull(title, "title");
    Objects.requireNonNull(description, "description");
    parameters = List.copyOf(parameters);
    results = List.copyOf(results);
  }

  /** The name that models use. */
  public String name() {
    return tool.wireName();
  }

  /**
   * JSON Schema of the arguments, as maps, lists, texts and booleans: {@code type}, {@code
   * properties}, {@code required}, {@code additionalProperties}. A new, mutable map each time.
   */
  public Map<String, Object> inputSchema() {
    return ToolField.schema(parameters, false);
  }

  /** JSON Schema of {@link ToolReport#structured()}, likewise; unknown values are null. */
  public Map<String, Object> outputSchema() {
    return ToolField.schema(results, true);
  }
}
