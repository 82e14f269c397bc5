package io.zett.sandbox.backend;

import io.zett.sandbox.posix.LaunchDescriptors;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The command line of {@code zett-init}, which every launch starts. */
public final class InitCommand {

  /** The caller's socket, then the command's standard streams. */
  private static final List<Integer> INHERITED =
      List.of(
          LaunchDescriptors.CONTROL,
          LaunchDescriptors.STDIN,
          LaunchDescriptors.STDOUT,
          LaunchDescriptors.STDERR);

  /** The first argument of every process that this library starts: a mark to find strays by. */
  public static final String NAME = "zett-sandbox";

  private InitCommand() {}

  /** The program's path in the process that executes it. */
  public static UnixPath path() {
    return UnixPath.ofText("/proc/self/fd/" + LaunchDescriptors.INIT);
  }

  /**
   * Its arguments.
   *
   * @param mode {@code pid1} or {@code reaper}
   */
  public static List<byte[]> arguments(String mode) {
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(ascii(mode));
    INHERITED.forEach(number -> arguments.add(ascii(Integer.toString(number))));
    return arguments;
  }

  /** Text that is pure ASCII, as an argument. */
  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
