package io.zett.sandbox.tools;

import java.util.Map;

/**
 * A file was written.
 *
 * @param path as it was given
 * @param bytes its size now
 */
public record WriteReport(String path, int bytes) implements ToolReport {
  @Override
  public String text() {
    return (bytes == 1 ? "1 byte was" : bytes + " bytes were") + " written to " + path + "\n";
  }

  @Override
  public Map<String, Object> structured() {
    return new Fields().put("path", path).put("bytes", bytes).map();
  }
}
