package io.zett.sandbox.backend;

import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line of {@code zett-init}, which every launch starts; the numbers are those under
 * which the spawner hands descriptors over.
 */
public final class InitCommand {

  /** Where the launcher's arguments are read. */
  public static final int ARGUMENTS = 3;

  /** The program itself. */
  public static final int PROGRAM = 4;

  /** Where the seccomp program is read. */
  public static final int SECCOMP = 5;

  /** The caller's socket, then the command's stdin, stdout and stderr. */
  private static final List<String> NUMBERS = List.of("6", "7", "8", "9");

  /** The first argument of every process that this library starts: a mark to find strays by. */
  public static final String NAME = "zett-sandbox";

  private InitCommand() {}

  /** The program's path in the process that executes it. */
  public static UnixPath path() {
    return UnixPath.ofText("/proc/self/fd/" + PROGRAM);
  }

  /**
   * Its arguments.
   *
   * @param mode {@code pid1} or {@code reaper}
   */
  public static List<byte[]> arguments(String mode) {
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(ascii(mode));
    NUMBERS.forEach(number -> arguments.add(ascii(number)));
    return arguments;
  }

  /** Text that is pure ASCII, as an argument. */
  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
