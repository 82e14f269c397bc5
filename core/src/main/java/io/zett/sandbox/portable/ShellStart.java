package io.zett.sandbox.portable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The limits of each process of a command, which a shell sets before it becomes the command.
 *
 * @param cpuSeconds processor time
 * @param fileBlocks size of a file, in blocks as this shell counts them
 * @param openFiles descriptors
 */
public record ShellStart(OptionalLong cpuSeconds, OptionalLong fileBlocks, OptionalLong openFiles) {
  private static final Path SHELL = Path.of("/bin/sh");

  /** No limits. */
  public static final ShellStart UNLIMITED =
      new ShellStart(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

  /**
   * The words of the shell; the line to write and the command's words follow.
   *
   * @param merged whether the error output goes into the output
   * @param environment the command's, so that it gets no variables of the shell's own
   */
  public List<String> words(boolean merged, Map<String, String> environment) {
    List<String> lines = new ArrayList<>();
    lines.add("ulimit -c 0");
    cpuSeconds.ifPresent(value -> lines.add(limit("t", value)));
    fileBlocks.ifPresent(value -> lines.add(limit("f", value)));
    openFiles.ifPresent(value -> lines.add(limit("n", value)));
    lines.add("printf '%s\\n' \"$1\" || exit 125");
    lines.add("shift");
    if (merged) {
      lines.add("exec 2>&1");
    }
    for (String name : List.of("PWD", "OLDPWD", "SHLVL", "_")) {
      if (!environment.containsKey(name)) {
        lines.add("unset " + name);
      }
    }
    lines.add("exec \"$@\"");
    return List.of(SHELL.toString(), "-c", String.join("\n", lines), "sh");
  }

  /** A hard limit that is lower already stays. */
  private static String limit(String option, long value) {
    return "h=$(ulimit -H -"
        + option
        + "); [ \"$h\" != unlimited ] && [ \"$h\" -le "
        + value
        + " ] || ulimit -"
        + option
        + " "
        + value
        + " || exit 125";
  }

  /**
   * How many bytes a block of {@code ulimit -f} has: 512 by POSIX, 1024 in some shells. The shell
   * is asked to write a file beyond one block.
   *
   * @param directory a directory that can be written
   */
  public static long blockBytes(Path directory) throws IOException {
    Path file = directory.resolve("block");
    try {
      Process shell =
          new Start(
                  List.of(
                      SHELL.toString(),
                      "-c",
                      "trap '' XFSZ; ulimit -c 0; ulimit -f 1; dd if=/dev/zero of=\"$1\" bs=64 count=64",
                      "sh",
                      file.toString()),
                  Map.of("PATH", "/usr/bin:/bin"),
                  directory,
                  true)
              .begin();
      shell.getOutputStream().close();
      shell.getInputStream().readAllBytes();
      Uninterrupted.waitFor(shell);
      return Math.max(1, Files.size(file));
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
