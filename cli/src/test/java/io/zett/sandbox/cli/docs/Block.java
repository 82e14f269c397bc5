package io.zett.sandbox.cli.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One fenced block of a page.
 *
 * @param name the page and the block's first line
 * @param line the number of that line
 * @param language what stands after the fence
 * @param text what stands between the fences
 * @param heading the nearest heading above
 * @param output the block that follows, when it says what this one prints
 */
record Block(
    String name, int line, String language, String text, String heading, @Nullable String output) {

  private static final Pattern FENCED =
      Pattern.compile("(?ms)^(?:#+ +([^\n]*)$|```(\\w*)\n(.*?)^```$)");

  /** All blocks of a page, in their order. */
  static List<Block> of(Path page) throws IOException {
    String text = Files.readString(page);
    List<Block> blocks = new ArrayList<>();
    String heading = "";
    boolean newSection = true;
    Matcher matcher = FENCED.matcher(text);
    while (matcher.find()) {
      if (matcher.group(1) != null) {
        heading = matcher.group(1);
        newSection = true;
        continue;
      }
      String language = matcher.group(2);
      String content = matcher.group(3);
      if (!newSection && isOutput(language)) {
        blocks.add(blocks.removeLast().printing(content));
      }
      int line = (int) text.substring(0, matcher.start(3)).lines().count() + 1;
      String name = page.getFileName() + ":" + line;
      blocks.add(new Block(name, line, language, content, heading, null));
      newSection = false;
    }
    return blocks;
  }

  /** Output follows directly; of several blocks in a row only the first is output. */
  private static boolean isOutput(String language) {
    return language.equals("text") || language.equals("json");
  }

  private Block printing(String text) {
    return output == null && (isJava() || isCommand())
        ? new Block(name, line, language, this.text, heading, text)
        : this;
  }

  boolean isJava() {
    return language.equals("java");
  }

  /** Lines for a shell that begin with the command. */
  boolean isCommand() {
    return language.equals("sh") && text.startsWith("zett ");
  }

  /**
   * What the output must look like: {@code …} stands for any text in a line, and alone in a line
   * for any lines. What stands in a JSON block may be broken into lines.
   */
  Pattern expected() {
    StringBuilder pattern = new StringBuilder();
    String wanted = output == null ? "…\n" : output;
    if (wanted.startsWith("{")) {
      wanted = wanted.strip().replaceAll("\n *", "") + "\n";
    }
    for (String one : wanted.split("(?<=\n)")) {
      if (one.equals("…\n")) {
        pattern.append("(?:.*\n)*");
      } else {
        String quoted = Pattern.quote(one);
        pattern.append(quoted.replace("…", "\\E.*\\Q"));
      }
    }
    return Pattern.compile(pattern.toString());
  }

  @Override
  public String toString() {
    return name + " (" + heading + ")";
  }
}
