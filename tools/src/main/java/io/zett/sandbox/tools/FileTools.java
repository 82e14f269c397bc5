package io.zett.sandbox.tools;

import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The tools on files. */
final class FileTools {
  private static final int MOST_ENTRIES = 1_000;

  private final SandboxSession session;
  private final ToolSettings settings;

  FileTools(SandboxSession session, ToolSettings settings) {
    this.session = session;
    this.settings = settings;
  }

  FileReport read(String path, @Nullable Long offset, @Nullable Long limit) throws IOException {
    if (offset != null && offset < 1) {
      throw new ToolException("offset: " + offset + " is no line; the first one is 1");
    }
    if (limit != null && limit < 1) {
      throw new ToolException("limit: " + limit + " lines? Give 1 or more, or leave it out");
    }
    String text = session.files().readString(path, settings.maxFileBytes());
    int total = lines(text);
    int first = (int) Math.min(offset == null ? 1 : offset, Integer.MAX_VALUE);
    if (first > Math.max(total, 1)) {
      throw new ToolException(
          "offset: " + first + " is beyond the end; " + path + " has " + total + " lines");
    }
    int begin = 0;
    for (int line = 1; line < first; line++) {
      begin = text.indexOf('\n', begin) + 1;
    }
    int end = begin;
    int taken = 0;
    long wanted = limit == null ? Long.MAX_VALUE : limit;
    while (taken < wanted && end < text.length()) {
      int next = text.indexOf('\n', end) + 1;
      int lineEnd = next == 0 ? text.length() : next;
      if (lineEnd - begin > settings.tailCharacters()) {
        if (taken == 0) {
          throw new ToolException(
              path
                  + ": line "
                  + first
                  + " is longer than "
                  + settings.tailCharacters()
                  + " characters; cut it with run_command, for instance head -c or cut -c");
        }
        break;
      }
      end = lineEnd;
      taken++;
    }
    return new FileReport(
        path, text.substring(begin, end), first, taken, total, end < text.length());
  }

  private static int lines(String text) {
    int ends = (int) text.chars().filter(unit -> unit == '\n').count();
    return text.isEmpty() || text.endsWith("\n") ? ends : ends + 1;
  }

  WriteReport write(String path, String content) throws IOException {
    session.files().write(path, content);
    return new WriteReport(path, content.getBytes(StandardCharsets.UTF_8).length);
  }

  DirectoryReport list(String path) throws IOException {
    return new DirectoryReport(path, session.files().list(path, MOST_ENTRIES));
  }
}
