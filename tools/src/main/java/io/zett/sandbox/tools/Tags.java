package io.zett.sandbox.tools;

/** Text in tags, as models read it well. */
final class Tags {
  private Tags() {}

  static void line(StringBuilder text, String name, String value) {
    text.append('<').append(name).append('>').append(value);
    text.append("</").append(name).append(">\n");
  }

  static void block(StringBuilder text, String name, String value) {
    text.append('<').append(name).append(">\n").append(value);
    if (!value.isEmpty() && !value.endsWith("\n")) {
      text.append('\n');
    }
    text.append("</").append(name).append(">\n");
  }
}
