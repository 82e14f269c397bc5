package io.zett.sandbox.limits;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.DirectoryEntry;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The {@code /proc} of one sandbox and its scratch file systems, held by descriptors.
 *
 * <p>Opened before the command starts: later {@code /proc/PID/root} of pid 1 is closed to an
 * unprivileged caller. The sandbox has its own pid namespace, so all that its {@code /proc} shows
 * belongs to this command. Used by one thread.
 */
final class SandboxProc implements AutoCloseable {
  private static final int LARGEST = 4 * 1024 * 1024;
  private static final List<String> SCRATCH = List.of("tmp", "var/tmp", "dev/shm");

  private final Posix posix;
  private final int proc;
  private final List<Integer> scratch = new ArrayList<>();
  private final List<Long> scratchDevices = new ArrayList<>();

  private SandboxProc(Posix posix, int proc) {
    this.posix = posix;
    this.proc = proc;
  }

  static SandboxProc open(Posix posix, int initPid, UnixPath home) {
    UnixPath root = UnixPath.ofText("/proc/" + initPid + "/root");
    int flags = Constants.O_RDONLY | Constants.O_DIRECTORY;
    SandboxProc opened = new SandboxProc(posix, posix.open(root.resolve("proc"), flags, 0));
    try {
      long rootDevice = device(posix, root);
      List<UnixPath> places = new ArrayList<>();
      SCRATCH.forEach(place -> places.add(root.resolve(place)));
      if (!home.isRoot()) {
        byte[] below = home.bytes();
        places.add(root.resolve(Arrays.copyOfRange(below, 1, below.length)));
      }
      for (UnixPath place : places) {
        opened.addScratch(place, rootDevice, flags);
      }
      return opened;
    } catch (PosixException e) {
      opened.close();
      throw e;
    }
  }

  /** Only what is a file system of the sandbox's own counts: each once. */
  private void addScratch(UnixPath place, long rootDevice, int flags) {
    int fd;
    try {
      fd = posix.open(place, flags, 0);
    } catch (PosixException e) {
      return; // No such directory in this sandbox.
    }
    long device = posix.fstat(fd).dev();
    boolean privateOne =
        posix.fstatfs(fd).isMemory() && device != rootDevice && !scratchDevices.contains(device);
    if (privateOne) {
      scratch.add(fd);
      scratchDevices.add(device);
    } else {
      posix.close(fd);
    }
  }

  private static long device(Posix posix, UnixPath path) {
    FileStatus status = posix.stat(path);
    return status == null ? -1 : status.dev();
  }

  /** Bytes that the command keeps in its private file systems, which are memory. */
  long scratchBytes() {
    long sum = 0;
    for (int fd : scratch) {
      sum += posix.fstatfs(fd).usedBytes();
    }
    return sum;
  }

  /** The pids, as the sandbox counts them, of all that lives in it. */
  List<String> pids() {
    // A directory descriptor has a position; each look needs a fresh one.
    int fd = posix.openat(proc, new byte[] {'.'}, Constants.O_RDONLY | Constants.O_DIRECTORY, 0);
    try {
      List<String> pids = new ArrayList<>();
      for (List<DirectoryEntry> some = posix.getdents(fd);
          !some.isEmpty();
          some = posix.getdents(fd)) {
        for (DirectoryEntry entry : some) {
          byte first = entry.name()[0];
          if (first >= '0' && first <= '9') {
            pids.add(new String(entry.name(), US_ASCII));
          }
        }
      }
      return pids;
    } finally {
      posix.close(fd);
    }
  }

  /** A file below {@code /proc}; empty when the process is gone or does not let itself be seen. */
  String read(String file) {
    int fd;
    try {
      fd = posix.openat(proc, file.getBytes(US_ASCII), Constants.O_RDONLY, 0);
    } catch (PosixException e) {
      return "";
    }
    try {
      return new String(posix.readFully(fd, LARGEST, file), ISO_8859_1);
    } catch (PosixException e) {
      return "";
    } finally {
      posix.close(fd);
    }
  }

  @Override
  public void close() {
    posix.close(proc);
    scratch.forEach(posix::close);
    scratch.clear();
  }
}
