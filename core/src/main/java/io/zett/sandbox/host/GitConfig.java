package io.zett.sandbox.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a git configuration file (git-config(1), "CONFIGURATION FILE") as Latin-1 text. */
final class GitConfig {

  /** A section's head, whose subsection may hold a bracket in its quotes. */
  private static final Pattern HEAD =
      Pattern.compile("\\[\\s*([A-Za-z0-9.-]+)(?:\\s+\"(?:[^\"\\\\]|\\\\.)*\")?\\s*\\]");

  private static final Pattern SETTING =
      Pattern.compile("([A-Za-z][A-Za-z0-9-]*)\\s*(?:=\\s*(.*))?");

  /**
   * One setting.
   *
   * @param name section and key in lower case, such as {@code core.hookspath}; without subsection
   * @param value without quotes; empty for a key alone
   */
  record Setting(String name, String value) {}

  private GitConfig() {}

  /** The settings in their order; lines that git would refuse are skipped. */
  static List<Setting> parse(String text) {
    List<Setting> settings = new ArrayList<>();
    String section = "";
    for (String line : text.replaceAll("\r?\n", "\n").replaceAll("\\\\\n", "").split("\n", -1)) {
      String rest = line.strip();
      Matcher head = HEAD.matcher(rest);
      if (head.lookingAt()) {
        section = head.group(1).toLowerCase(Locale.ROOT);
        rest = rest.substring(head.end()).strip();
      }
      Matcher setting = SETTING.matcher(rest);
      if (setting.matches()) {
        String value = setting.group(2) == null ? "" : value(setting.group(2));
        settings.add(new Setting(section + "." + setting.group(1).toLowerCase(Locale.ROOT), value));
      }
    }
    return List.copyOf(settings);
  }

  /** Without quotes, escapes and what follows a comment's sign. */
  private static String value(String raw) {
    StringBuilder value = new StringBuilder();
    boolean quoted = false;
    int kept = 0; // Spaces at the end do not count, unless they are in quotes.
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '"') {
        quoted = !quoted;
        kept = value.length();
        continue;
      }
      if (!quoted && (c == '#' || c == ';')) {
        break;
      }
      if (c == '\\' && i + 1 < raw.length()) {
        c = unescaped(raw.charAt(++i));
        value.append(c);
        kept = value.length();
        continue;
      }
      value.append(c);
      if (quoted || !Character.isWhitespace(c)) {
        kept = value.length();
      }
    }
    value.setLength(kept);
    return value.toString();
  }

  private static char unescaped(char c) {
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'b' -> '\b';
      default -> c;
    };
  }
}
