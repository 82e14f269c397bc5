package io.zett.sandbox.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zett.sandbox.SandboxCommand;
import java.util.ArrayList;
import java.util.List;

/**
 * The words and variables of a command as the kernel takes them, checked against its limits before
 * anything starts.
 */
final class CommandArguments {
  /** MAX_ARG_STRLEN of execve(2): 32 pages of 4 KiB, the closing NUL included. */
  static final int LONGEST = 128 * 1024;

  /** A quarter of the usual stack of 8 MiB, execve(2); some of it is needed for pointers. */
  static final long LARGEST_SUM = 2 * 1024 * 1024 - 64 * 1024;

  private static final int POINTER = 8;

  private CommandArguments() {}

  /**
   * The argument list.
   *
   * @throws IllegalArgumentException if one word is too long for the kernel
   */
  static List<byte[]> of(SandboxCommand command) {
    if (command.shellText().isPresent()) {
      return ShellText.arguments(command.shellText().get());
    }
    List<byte[]> words = new ArrayList<>();
    for (String word : command.arguments()) {
      byte[] bytes = word.getBytes(UTF_8);
      if (bytes.length >= LONGEST) {
        throw new IllegalArgumentException(
            "arguments: number "
                + words.size()
                + " has "
                + bytes.length
                + " bytes, and the kernel takes at most "
                + (LONGEST - 1)
                + " in one; pass it as a file in the workspace or as input");
      }
      words.add(bytes);
    }
    return words;
  }

  /**
   * Whether the kernel takes them.
   *
   * @param environment as {@code NAME=value}
   * @throws IllegalArgumentException if one variable, or all of them and the arguments together,
   *     are too long for it
   */
  static void check(List<byte[]> environment, List<byte[]> arguments) {
    long sum = 0;
    for (byte[] entry : environment) {
      if (entry.length >= LONGEST) {
        throw new IllegalArgumentException(
            "env: the variable "
                + name(entry)
                + " has "
                + entry.length
                + " bytes, and the kernel takes at most "
                + (LONGEST - 1)
                + "; pass it as a file in the workspace or as input");
      }
      sum += entry.length + 1L + POINTER;
    }
    for (byte[] argument : arguments) {
      sum += argument.length + 1L + POINTER;
    }
    if (sum > LARGEST_SUM) {
      throw new IllegalArgumentException(
          "arguments and env: together "
              + sum
              + " bytes, and the kernel takes about "
              + LARGEST_SUM
              + "; pass them as a file in the workspace or as input");
    }
  }

  private static String name(byte[] entry) {
    String text = new String(entry, UTF_8);
    return text.substring(0, text.indexOf('='));
  }
}
