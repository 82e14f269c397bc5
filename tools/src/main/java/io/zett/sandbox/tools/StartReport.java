package io.zett.sandbox.tools;

import java.util.Map;

/**
 * A command was started in the background.
 *
 * @param id its id for the other tools
 * @param cwd where it was started
 */
public record StartReport(String id, String cwd) implements ToolReport {
  @Override
  public String text() {
    StringBuilder text = new StringBuilder();
    Tags.line(text, "id", id);
    Tags.line(text, "working_directory", cwd);
    return text + "It was started. read_output shows what it writes, stop_command ends it.\n";
  }

  @Override
  public Map<String, Object> structured() {
    return new Fields().put("id", id).put("cwd", cwd).map();
  }
}
