package io.zett.sandbox.langchain4j;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonBooleanSchema;
import dev.langchain4j.model.chat.request.json.JsonIntegerSchema;
import dev.langchain4j.model.chat.request.json.JsonNumberSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import io.zett.sandbox.tools.ToolDescription;
import io.zett.sandbox.tools.ToolField;
import java.util.List;

/** Descriptions of tools in LangChain4j's terms. */
final class Specifications {
  private Specifications() {}

  /** The hints have the names that LangChain4j gives those of MCP servers. */
  static ToolSpecification of(ToolDescription description) {
    return ToolSpecification.builder()
        .name(description.name())
        .description(description.description())
        .parameters(object(description.parameters()))
        .addMetadata("title", description.title())
        .addMetadata("readOnlyHint", description.readOnly())
        .addMetadata("destructiveHint", description.destructive())
        .addMetadata("openWorldHint", description.openWorld())
        .build();
  }

  private static JsonObjectSchema object(List<ToolField> fields) {
    var object = JsonObjectSchema.builder();
    for (ToolField field : fields) {
      object.addProperty(field.name(), element(field));
    }
    return object
        .required(fields.stream().filter(ToolField::required).map(ToolField::name).toList())
        .additionalProperties(false)
        .build();
  }

  private static JsonSchemaElement element(ToolField field) {
    String description = field.description();
    return switch (field.type()) {
      case STRING -> JsonStringSchema.builder().description(description).build();
      case INTEGER -> JsonIntegerSchema.builder().description(description).build();
      case NUMBER -> JsonNumberSchema.builder().description(description).build();
      case BOOLEAN -> JsonBooleanSchema.builder().description(description).build();
      case STRING_ARRAY ->
          JsonArraySchema.builder().description(description).items(new JsonStringSchema()).build();
      case OBJECT -> object(field.fields()).toBuilder().description(description).build();
      case OBJECT_ARRAY ->
          JsonArraySchema.builder().description(description).items(object(field.fields())).build();
    };
  }
}
