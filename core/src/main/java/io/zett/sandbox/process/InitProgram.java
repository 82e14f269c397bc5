package io.zett.sandbox.process;

import io.zett.sandbox.posix.Architecture;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.LaunchDescriptors;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * The zett-init program in a sealed anonymous file: nothing to install, nothing on the disk that
 * somebody could replace, and never busy while another thread forks. Thread-safe.
 */
public final class InitProgram implements AutoCloseable {

  private static final String STEP = "prepare zett-init";

  private final Posix posix;
  private final int fd;

  private InitProgram(Posix posix, int fd) {
    this.posix = posix;
    this.fd = fd;
  }

  /**
   * Loads the program for this machine.
   *
   * @throws SetupFailure if this build lacks it, or the kernel does not allow such a program
   */
  public static InitProgram load(Posix posix) {
    byte[] program = resource("zett-init-" + Architecture.current().kernelName());
    try {
      return new InitProgram(posix, sealed(posix, program));
    } catch (PosixException e) {
      throw failure(e);
    }
  }

  private static SetupFailure failure(PosixException e) {
    boolean refused =
        e.call().equals("memfd_create") && (e.errno() == Errno.EACCES || e.errno() == Errno.EPERM);
    return new SetupFailure(
        STEP,
        e.errno(),
        refused
            ? "this kernel refuses programs in anonymous files: set vm.memfd_noexec to 0 or 1"
                + " (sysctl -w vm.memfd_noexec=1)"
            : String.valueOf(e.getMessage()));
  }

  private static int sealed(Posix posix, byte[] program) {
    int writable = posix.sealedFile("zett-init", program, true);
    try {
      posix.fchmod(writable, 0555);
      // A program that is open for writing may be refused as busy.
      return posix.open(UnixPath.ofText("/proc/self/fd/" + writable), Constants.O_RDONLY, 0);
    } finally {
      posix.close(writable);
    }
  }

  private static byte[] resource(String name) {
    try (InputStream in = InitProgram.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new SetupFailure(STEP, 0, "this build of Zett Sandbox has no " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The program's descriptor, read-only, to be inherited as {@link LaunchDescriptors#INIT}. */
  public int descriptor() {
    return fd;
  }

  /** Frees the memory; running commands keep theirs. */
  @Override
  public void close() {
    posix.close(fd);
  }
}
