package io.zett.sandbox.tools;

import java.util.Map;

/**
 * Lines of a text file.
 *
 * @param path as it was given
 * @param content the lines with their ends
 * @param firstLine the number of the first one, from 1
 * @param lines how many there are in the content
 * @param totalLines how many the file has
 * @param truncated whether the file goes on behind it
 */
public record FileReport(
    String path, String content, int firstLine, int lines, int totalLines, boolean truncated)
    implements ToolReport {

  @Override
  public Map<String, Object> structured() {
    return new Fields()
        .put("path", path)
        .put("content", content)
        .put("firstLine", firstLine)
        .put("lines", lines)
        .put("totalLines", totalLines)
        .put("truncated", truncated)
        .map();
  }

  /** The lines as they are; if there are more, a last line says how to read on. */
  @Override
  public String text() {
    if (!truncated) {
      return content;
    }
    String end = content.isEmpty() || content.endsWith("\n") ? "" : "\n";
    return content
        + end
        + "[the file has "
        + totalLines
        + " lines; read on with offset "
        + (firstLine + lines)
        + "]\n";
  }
}
