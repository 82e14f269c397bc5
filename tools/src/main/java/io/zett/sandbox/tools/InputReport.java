package io.zett.sandbox.tools;

import java.util.Map;

/**
 * Input was sent.
 *
 * @param id the command's
 * @param bytes how much
 * @param closed whether its input has ended
 */
public record InputReport(String id, int bytes, boolean closed) implements ToolReport {
  @Override
  public String text() {
    return bytes + " bytes were sent to " + id + (closed ? "; its input has ended\n" : "\n");
  }

  @Override
  public Map<String, Object> structured() {
    return new Fields().put("id", id).put("bytes", bytes).put("closed", closed).map();
  }
}
