package io.zett.sandbox.portable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Words for {@link ProcessBuilder} on Windows, so that a program gets exactly its arguments.
 *
 * <p>A program of Windows gets one line and takes it apart itself: most as the C library does
 * (quotes and backslashes), {@code cmd.exe} in its own way. Batch files are run by {@code cmd.exe},
 * which takes the line apart as commands: what it would not read as plain text is refused, never
 * escaped (CVE-2024-24576). The JDK hands on a word that begins and ends with a quote as it is,
 * unless it was started with {@code -Djdk.lang.Process.allowAmbiguousCommands=false}: then it
 * quotes all words itself, and what needs more is refused here. Immutable.
 */
public final class WindowsWords {
  private static final String STRICT_PROPERTY = "jdk.lang.Process.allowAmbiguousCommands";

  /**
   * Read as commands, variables or ends of a quotation, between quotes or in a line that is not.
   */
  private static final String BATCH_REFUSED = "\"%!^&|<>";

  private final Path shell;
  private final boolean strict;

  private WindowsWords(Path shell, boolean strict) {
    this.shell = shell;
    this.strict = strict;
  }

  /**
   * For this JVM.
   *
   * @param shell the system's {@code cmd.exe}
   */
  public static WindowsWords of(Path shell) {
    return new WindowsWords(
        shell, "false".equalsIgnoreCase(System.getProperty(STRICT_PROPERTY, "true")));
  }

  /** The same, whatever this JVM's property is. */
  static WindowsWords of(Path shell, boolean strict) {
    return new WindowsWords(shell, strict);
  }

  /**
   * A text for the shell.
   *
   * @throws IllegalArgumentException if it has more than one line, of which the shell would read
   *     the first only
   */
  public List<String> shell(String text) {
    if (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0) {
      throw new IllegalArgumentException(
          "shell text: cmd.exe reads one line and ignores the others; join them with &&, or write"
              + " a script to the workspace");
    }
    if (strict && text.indexOf('"') >= 0) {
      throw strict("shell text: it has quotes");
    }
    // With /s the outer quotes are taken off, and nothing else changes. The JDK adds them where it
    // is strict.
    List<String> words = new ArrayList<>(List.of(shell.toString(), "/d", "/s", "/c"));
    words.add(strict ? text : '"' + text + '"');
    return words;
  }

  /**
   * A program that was found.
   *
   * @throws IllegalArgumentException if one of its arguments cannot be handed over safely; it names
   *     the argument's number
   */
  public List<String> program(Path program, List<String> arguments) {
    if (isBatch(program)) {
      return batch(program, arguments);
    }
    boolean isShell = name(program).equals("cmd.exe") || name(program).equals("cmd");
    List<String> words = new ArrayList<>(List.of(program.toString()));
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (isShell && argument.indexOf('"') >= 0) {
        throw new IllegalArgumentException(
            "arguments: number "
                + (i + 1)
                + " has a quote, which cmd.exe reads in a way of its own; use a shell text");
      }
      if (strict && argument.length() > 1 && argument.startsWith("\"") && argument.endsWith("\"")) {
        throw strict("arguments: number " + (i + 1) + " begins and ends with a quote");
      }
      words.add(strict || !needsQuotes(argument) ? argument : quoted(argument));
    }
    return words;
  }

  /** Whether a file is run by {@code cmd.exe}: Windows ignores dots and spaces at its end. */
  public static boolean isBatch(Path program) {
    String name = name(program);
    return name.endsWith(".bat") || name.endsWith(".cmd");
  }

  private static String name(Path program) {
    Path last = program.getFileName();
    String name = last == null ? "" : last.toString().toLowerCase(Locale.ROOT);
    int end = name.length();
    while (end > 0 && (name.charAt(end - 1) == '.' || name.charAt(end - 1) == ' ')) {
      end--;
    }
    return name.substring(0, end);
  }

  private List<String> batch(Path script, List<String> arguments) {
    if (strict) {
      throw strict("arguments: " + script.getFileName() + " is a batch file");
    }
    check("the batch file's path", script.toString());
    StringBuilder line = new StringBuilder("\"\"").append(script).append('"');
    for (int i = 0; i < arguments.size(); i++) {
      check("number " + (i + 1), arguments.get(i));
      line.append(' ').append(quoted(arguments.get(i)));
    }
    // Without AutoRun commands of the registry, and with ! as a plain character.
    return List.of(
        shell.toString(), "/e:on", "/v:off", "/d", "/s", "/c", line.append('"').toString());
  }

  private static void check(String which, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (BATCH_REFUSED.indexOf(c) >= 0 || c < ' ' || c == 0x7f) {
        throw new IllegalArgumentException(
            "arguments: "
                + which
                + " has "
                + (c < ' ' || c == 0x7f ? "a control character" : "'" + c + "'")
                + ", which cmd.exe, by which Windows runs batch files, would read as more than"
                + " text; pass it as input or in a file of the workspace");
      }
    }
  }

  private static boolean needsQuotes(String argument) {
    return argument.isEmpty()
        || argument.indexOf('"') >= 0
        || argument.chars().anyMatch(c -> Character.isWhitespace(c) || Character.isSpaceChar(c));
  }

  /** As the C library reads it: backslashes count only in front of a quote. */
  private static String quoted(String argument) {
    StringBuilder text = new StringBuilder("\"");
    int backslashes = 0;
    for (int i = 0; i < argument.length(); i++) {
      char c = argument.charAt(i);
      if (c == '"') {
        text.repeat('\\', backslashes + 1);
      }
      backslashes = c == '\\' ? backslashes + 1 : 0;
      text.append(c);
    }
    return text.repeat('\\', backslashes).append('"').toString();
  }

  private static IllegalArgumentException strict(String what) {
    return new IllegalArgumentException(
        what
            + ", and this JVM was started with -D"
            + STRICT_PROPERTY
            + "=false, under which it cannot be handed over; leave that option out");
  }
}
