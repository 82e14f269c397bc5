package io.zett.sandbox.tools;

/** The type of a parameter or of a field of a result. */
public enum ToolType {
  /** A text. */
  STRING("string"),
  /** A whole number. */
  INTEGER("integer"),
  /** A number. */
  NUMBER("number"),
  /** True or false. */
  BOOLEAN("boolean"),
  /** A list of texts. */
  STRING_ARRAY("array"),
  /** An object with the fields of {@link ToolField#fields()}. */
  OBJECT("object"),
  /** A list of such objects. */
  OBJECT_ARRAY("array");

  private final String schemaType;

  ToolType(String schemaType) {
    this.schemaType = schemaType;
  }

  /** The {@code type} of JSON Schema. */
  public String schemaType() {
    return schemaType;
  }
}
