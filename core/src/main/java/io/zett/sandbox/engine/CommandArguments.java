package io.zett.sandbox.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
  private static final String HOME = "HOME";

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
   * The variables as {@code NAME=value}.
   *
   * @param home what {@code HOME} is unless the caller says otherwise: its bytes need not be text
   * @throws IllegalArgumentException if one, or all of them and the arguments together, are too
   *     long for the kernel
   */
  static List<byte[]> environment(
      Map<String, String> variables, UnixPath home, List<byte[]> arguments) {
    List<byte[]> entries = new ArrayList<>(variables.size());
    long sum = 0;
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      byte[] entry = entry(variable.getKey(), variable.getValue(), home);
      if (entry.length >= LONGEST) {
        throw new IllegalArgumentException(
            "env: the variable "
                + variable.getKey()
                + " has "
                + entry.length
                + " bytes, and the kernel takes at most "
                + (LONGEST - 1)
                + "; pass it as a file in the workspace or as input");
      }
      sum += entry.length + 1L + POINTER;
      entries.add(entry);
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
    return entries;
  }

  private static byte[] entry(String name, String value, UnixPath home) {
    boolean isHome = name.equals(HOME) && value.equals(home.toString());
    return isHome
        ? (HOME + "=" + home.latin1()).getBytes(ISO_8859_1)
        : (name + "=" + value).getBytes(UTF_8);
  }
}
