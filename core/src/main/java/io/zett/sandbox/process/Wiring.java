package io.zett.sandbox.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.LaunchDescriptors;
import io.zett.sandbox.posix.Mapping;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The descriptors between this process and a launcher, and the launcher's start. Whatever goes
 * wrong on the way, {@link #close} closes all of them.
 */
final class Wiring implements AutoCloseable {

  private static final UnixPath NULL_DEVICE = UnixPath.ofText("/dev/null");

  /** More of a launcher's complaint than anybody reads. */
  private static final int COMPLAINT = 16 * 1024;

  private final Posix posix;
  private final DescriptorSet owned;
  private List<Mapping> mappings = new ArrayList<>();
  private List<Integer> childEnds = new ArrayList<>();
  private final int nullDevice;
  private final int complaints;
  private final int control;
  private final int stdout;
  private final int stderr;
  private final int stdin;

  /** Makes everything that the order needs; on failure nothing is left open. */
  Wiring(Posix posix, Order order) {
    this.posix = posix;
    owned = new DescriptorSet(posix);
    try {
      for (Inherited inherited : order.inherited()) {
        mappings.add(new Mapping(inherited.source(), inherited.target()));
      }
      nullDevice = owned.add(posix.open(NULL_DEVICE, Constants.O_RDWR, 0));
      map(nullDevice, LaunchDescriptors.NULL_IN);
      map(nullDevice, LaunchDescriptors.NULL_OUT);
      complaints = owned.add(posix.memoryFile("zett-launcher", false));
      map(complaints, LaunchDescriptors.LAUNCHER_ERR);
      control = controlSocket();
      stdin = pipeToCommand();
      stdout = pipeFromCommand(LaunchDescriptors.STDOUT);
      stderr = pipeFromCommand(LaunchDescriptors.STDERR);
    } catch (RuntimeException | Error e) {
      owned.close();
      throw e;
    }
  }

  private int controlSocket() {
    int[] pair = owned.add(posix.socketpair(Constants.SOCK_STREAM));
    posix.setsockopt(pair[0], Constants.SOL_SOCKET, Constants.SO_PASSCRED, 1);
    give(pair[1], LaunchDescriptors.CONTROL);
    return pair[0];
  }

  private int pipeToCommand() {
    int[] pipe = owned.add(posix.pipe2(0));
    posix.fcntl(pipe[1], Constants.F_SETFL, Constants.O_NONBLOCK);
    give(pipe[0], LaunchDescriptors.STDIN);
    return pipe[1];
  }

  private int pipeFromCommand(int target) {
    int[] pipe = owned.add(posix.pipe2(0));
    posix.fcntl(pipe[0], Constants.F_SETFL, Constants.O_NONBLOCK);
    give(pipe[1], target);
    return pipe[0];
  }

  private void give(int fd, int target) {
    map(fd, target);
    childEnds.add(fd);
  }

  private void map(int fd, int target) {
    mappings.add(new Mapping(fd, target));
  }

  /** Starts the launcher and closes its ends here; the pid. */
  int spawn(Order order) {
    try {
      int pid = posix.spawn(order.program(), order.argv(), List.of(), mappings);
      childEnds.forEach(owned::close);
      // Of no use any more, and there may be thousands of these.
      childEnds = List.of();
      mappings = List.of();
      return pid;
    } catch (PosixException e) {
      throw new SetupFailure(
          "start the launcher", e.errno(), order.program() + ": " + Errno.describe(e.errno()));
    }
  }

  /** What the launcher has said so far, without the last line's end. */
  String complaint() {
    ByteBuffer text = ByteBuffer.allocate(COMPLAINT);
    for (long count = 1; count > 0 && text.hasRemaining(); ) {
      count = posix.pread(complaints, text, text.position());
    }
    return new String(text.array(), 0, text.position(), UTF_8).strip();
  }

  DescriptorSet owned() {
    return owned;
  }

  int nullDevice() {
    return nullDevice;
  }

  int control() {
    return control;
  }

  int stdout() {
    return stdout;
  }

  int stderr() {
    return stderr;
  }

  /** Where the command's input is written. */
  int stdin() {
    return stdin;
  }

  @Override
  public void close() {
    owned.close();
  }
}
