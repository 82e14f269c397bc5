package io.zett.sandbox.tools;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Part of what a command wrote.
 *
 * @param id the command's
 * @param stream {@code stdout} or {@code stderr}
 * @param part what was read
 * @param skipped bytes between the offset that was asked for and the part, which are kept no longer
 * @param running whether the command has not ended
 * @param exitCode of an ended one, as a shell shows it; else null
 */
public record OutputReport(
    String id,
    String stream,
    OutputPart part,
    long skipped,
    boolean running,
    @Nullable Integer exitCode)
    implements ToolReport {

  @Override
  public String text() {
    StringBuilder text = new StringBuilder();
    Tags.line(text, "running", Boolean.toString(running));
    if (exitCode != null) {
      Tags.line(text, "exit_code", exitCode.toString());
    }
    if (skipped > 0) {
      Tags.line(text, "skipped", skipped + " bytes are kept no longer");
    }
    Tags.line(text, "next_offset", Long.toString(part.to()));
    Tags.line(text, "total_bytes", Long.toString(part.total()));
    Tags.block(text, stream, part.text());
    return text.toString();
  }

  @Override
  public Map<String, Object> structured() {
    return new Fields()
        .put("id", id)
        .put("stream", stream)
        .put("text", part.text())
        .put("offset", part.from())
        .put("nextOffset", part.to())
        .put("totalBytes", part.total())
        .put("skippedBytes", skipped)
        .put("running", running)
        .put("exitCode", exitCode)
        .map();
  }
}
