package io.zett.sandbox.engine;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Turns the text of a shell command into an argument list.
 *
 * <p>The kernel refuses one argument of more than 128 KiB (MAX_ARG_STRLEN, execve(2)), so a longer
 * text travels in pieces that the shell joins itself. {@code eval} sees exactly the text, with no
 * positional parameters left over and {@code $0} as {@code sh -c} would set it.
 */
final class ShellText {
  /** Below MAX_ARG_STRLEN (131,072 with the closing NUL), with room for the words around it. */
  static final int LONGEST_PIECE = 100_000;

  private static final byte[] SHELL = ascii("/bin/sh");

  private ShellText() {}

  static List<byte[]> arguments(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    // "--": a text that begins with a dash is a command, not an option of the shell.
    if (bytes.length <= LONGEST_PIECE) {
      return List.of(SHELL, ascii("-c"), ascii("--"), bytes);
    }
    List<byte[]> pieces = new ArrayList<>();
    for (int from = 0; from < bytes.length; from += LONGEST_PIECE) {
      pieces.add(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + LONGEST_PIECE)));
    }
    StringBuilder join = new StringBuilder("eval \"set --; ");
    for (int i = 1; i <= pieces.size(); i++) {
      join.append("${").append(i).append('}');
    }
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(SHELL);
    arguments.add(ascii("-c"));
    arguments.add(ascii(join.append('"').toString()));
    arguments.add(SHELL);
    arguments.addAll(pieces);
    return arguments;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
