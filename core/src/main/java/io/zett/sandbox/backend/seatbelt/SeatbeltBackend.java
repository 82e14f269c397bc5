package io.zett.sandbox.backend.seatbelt;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.backend.Backend;
import io.zett.sandbox.backend.HostWatch;
import io.zett.sandbox.backend.InitCommand;
import io.zett.sandbox.backend.InsideHome;
import io.zett.sandbox.backend.Launch;
import io.zett.sandbox.backend.LaunchRequest;
import io.zett.sandbox.backend.Sight;
import io.zett.sandbox.posix.LaunchDescriptors;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * macOS: a profile by {@code sandbox-exec}. It restricts what the command and all it starts may do
 * and hides nothing that stands in its place: there are no namespaces, so processes, {@code /tmp}
 * and the loopback interface are the host's.
 */
public final class SeatbeltBackend implements Backend {

  /** The launcher of every Mac; no other is ever used, wherever {@code PATH} leads. */
  public static final UnixPath LAUNCHER = UnixPath.ofText("/usr/bin/sandbox-exec");

  /** A longer profile is read from a descriptor, a shorter one is seen in a list of processes. */
  private static final int LONGEST_ARGUMENT = 32 * 1024;

  /** Of the 1 MiB that macOS has for arguments and environment (ARG_MAX, sys/syslimits.h). */
  private static final int LARGEST_SUM = 512 * 1024;

  private final UnixPath launcher;
  private final List<byte[]> starter;

  /**
   * A backend.
   *
   * @param launcher {@link #LAUNCHER}, or what stands in for it in a test
   * @param starter the program, with its arguments, that is started inside and starts the command
   */
  public SeatbeltBackend(UnixPath launcher, List<byte[]> starter) {
    this.launcher = launcher;
    this.starter = List.copyOf(starter);
  }

  @Override
  public SandboxBackend kind() {
    return SandboxBackend.SEATBELT;
  }

  @Override
  public boolean hasNamespaces() {
    return false;
  }

  @Override
  public Launch prepare(LaunchRequest request) {
    Profile profile = Profile.of(request, false); // Commands have pipes.
    byte[] text = profile.text().getBytes(StandardCharsets.US_ASCII);
    boolean byFile = text.length > LONGEST_ARGUMENT;
    List<byte[]> argv = new ArrayList<>();
    argv.add(InitCommand.ascii(InitCommand.NAME));
    argv.add(InitCommand.ascii(byFile ? "-f" : "-p"));
    argv.add(byFile ? InitCommand.ascii("/dev/fd/" + LaunchDescriptors.ARGUMENTS) : text);
    for (byte[] definition : profile.definitions()) {
      argv.add(InitCommand.ascii("-D"));
      argv.add(definition);
    }
    argv.add(InitCommand.ascii("--"));
    argv.addAll(starter);
    checkSize(argv, profile.parameters().size());
    return new Launch(
        launcher,
        argv,
        byFile ? text : null,
        null,
        List.of(),
        List.of(),
        InsideHome.withoutNamespaces(request),
        HostWatch.NONE,
        null);
  }

  @Override
  public Sight sight(LaunchRequest request) {
    return RegionSight.of(request);
  }

  private static void checkSize(List<byte[]> argv, int parameters) {
    long sum = 0;
    for (byte[] argument : argv) {
      sum += argument.length + 1L + Long.BYTES;
    }
    if (sum > LARGEST_SUM) {
      throw new SandboxSetupException(
          "rules",
          "too many rules: their "
              + parameters
              + " paths take "
              + sum
              + " bytes of arguments, and half a MiB is kept for them; deny a directory in place"
              + " of the files in it");
    }
  }
}
