package io.zett.sandbox.tools;

import io.zett.sandbox.SandboxFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What is in a directory.
 *
 * @param path as it was given
 * @param listing its entries
 */
public record DirectoryReport(String path, SandboxFiles.Listing listing) implements ToolReport {

  /** A line for each entry: kind, size, name; control characters in names are escaped. */
  @Override
  public String text() {
    StringBuilder text = new StringBuilder();
    for (SandboxFiles.Entry entry : listing.entries()) {
      text.append(entry.kind().wireName()).append(' ').append(entry.size()).append(' ');
      text.append(printable(entry.name()));
      text.append(entry.kind() == SandboxFiles.Kind.DIRECTORY ? "/" : "");
      text.append(entry.hidden() ? " (hidden by the policy)" : "").append('\n');
    }
    if (listing.truncated()) {
      text.append("[there are more entries; list a subdirectory, or use run_command with ls]\n");
    }
    return text.isEmpty() ? "[the directory is empty]\n" : text.toString();
  }

  /** A name with a line break in it must not look like two entries. */
  private static String printable(String name) {
    StringBuilder text = new StringBuilder();
    name.codePoints()
        .forEach(
            point -> {
              if (Character.isISOControl(point)) {
                text.append(String.format("\\x%02x", point));
              } else {
                text.appendCodePoint(point);
              }
            });
    return text.toString();
  }

  @Override
  public Map<String, Object> structured() {
    List<Map<String, Object>> entries = new ArrayList<>();
    for (SandboxFiles.Entry entry : listing.entries()) {
      entries.add(
          new Fields()
              .put("name", entry.name())
              .put("kind", entry.kind().wireName())
              .put("size", entry.size())
              .put("hidden", entry.hidden())
              .map());
    }
    return new Fields()
        .put("path", path)
        .put("entries", List.copyOf(entries))
        .put("truncated", listing.truncated())
        .map();
  }
}
