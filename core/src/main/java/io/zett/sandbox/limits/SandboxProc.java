package io.zett.sandbox.limits;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.ProcessList;
import io.zett.sandbox.posix.UnixPath;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The {@code /proc} that shows one command, and its scratch file systems, held by descriptors.
 *
 * <p>Opened before the command starts: later {@code /proc/PID/root} of pid 1 is closed to an
 * unprivileged caller. A sandbox with its own pid namespace shows in its {@code /proc} what belongs
 * to this command alone; elsewhere it is what descends from its first process. Used by one thread.
 */
final class SandboxProc implements AutoCloseable {
  private static final int LARGEST = 4 * 1024 * 1024;
  private static final List<String> SCRATCH = List.of("tmp", "var/tmp", "dev/shm");

  /** So many descriptors a command may cost, to save opening the same files again and again. */
  private static final int MOST_HELD = 8;

  private static final int LONGEST_STATM = 256;

  /** So much of a list of processes is read at once: about 80 of them. */
  private static final int ENTRIES_BYTES = 2048;

  private final Posix posix;
  private final int proc;
  private final long pageSize;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(LONGEST_STATM);
  private final int first;
  private final ProcessList processes;
  private final @Nullable Descendants descendants;
  private final Map<Integer, Integer> sizes = new HashMap<>();
  private final List<Integer> scratch = new ArrayList<>();
  private final List<Long> scratchDevices = new ArrayList<>();

  private SandboxProc(Posix posix, int proc, int first, @Nullable Descendants descendants) {
    this.posix = posix;
    this.proc = proc;
    this.first = first;
    this.processes = new ProcessList(posix, proc, 1, ENTRIES_BYTES);
    this.descendants = descendants;
    this.pageSize = posix.sysconf(Constants.SC_PAGESIZE);
  }

  static SandboxProc open(Posix posix, int initPid, UnixPath home) {
    UnixPath root = UnixPath.ofText("/proc/" + initPid + "/root");
    int flags = Constants.O_RDONLY | Constants.O_DIRECTORY;
    SandboxProc opened =
        new SandboxProc(posix, posix.open(root.resolve("proc"), flags, 0), 1, null);
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

  /** That of a command without a pid namespace: its scratch files are the host's, and not seen. */
  static SandboxProc ofHost(Posix posix, int initPid) {
    int flags = Constants.O_RDONLY | Constants.O_DIRECTORY;
    int proc = posix.open(UnixPath.ofText("/proc"), flags, 0);
    return new SandboxProc(posix, proc, initPid, new Descendants(posix));
  }

  /** The pid of the first process as this {@code /proc} shows it. */
  int first() {
    return first;
  }

  /** Only what is a file system of the sandbox's own counts: each once. */
  private void addScratch(UnixPath place, long rootDevice, int flags) {
    int fd;
    try {
      fd = posix.open(place, flags, 0);
    } catch (PosixException e) {
      e.throwIfShortage();
      return; // No such directory in this sandbox.
    }
    boolean privateOne = false;
    try {
      long device = posix.fstat(fd).dev();
      privateOne =
          posix.fstatfs(fd).isMemory() && device != rootDevice && !scratchDevices.contains(device);
      if (privateOne) {
        scratch.add(fd);
        scratchDevices.add(device);
      }
    } finally {
      if (!privateOne) {
        posix.close(fd);
      }
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

  /** The pids, as the sandbox counts them, of all that lives in it but its first process. */
  List<Integer> pids() {
    if (descendants != null) {
      return descendants.of(first);
    }
    List<Integer> pids = new ArrayList<>();
    for (int pid : processes.pids()) {
      if (pid > 1) {
        pids.add(pid);
      }
    }
    return pids;
  }

  /**
   * The memory that a process has in use, files and shared libraries included, in bytes: cheap, and
   * never too little. Nothing for a process that is gone.
   *
   * @throws PosixException if the kernel lacks descriptors or memory for the look
   */
  long residentBytes(int pid) {
    Integer held = sizes.get(pid);
    if (held != null) {
      long pages = residentPages(held);
      if (pages >= 0) {
        return pages * pageSize;
      }
      // That process is gone; the number may be another's by now.
      sizes.remove(pid);
      posix.close(held);
    }
    int fd;
    try {
      fd = posix.openat(proc, (pid + "/statm").getBytes(US_ASCII), Constants.O_RDONLY, 0);
    } catch (PosixException e) {
      e.throwIfShortage();
      return 0;
    }
    boolean kept = false;
    try {
      long pages = residentPages(fd);
      kept = pages >= 0 && sizes.size() < MOST_HELD;
      if (kept) {
        sizes.put(pid, fd);
      }
      return Math.max(0, pages) * pageSize;
    } finally {
      if (!kept) {
        posix.close(fd);
      }
    }
  }

  /** The second number of {@code /proc/PID/statm}, or -1. */
  private long residentPages(int fd) {
    buffer.clear();
    long count = posix.pread(fd, buffer, 0);
    if (count < 0) {
      new PosixException((int) -count, "pread", "statm").throwIfShortage();
    }
    int at = 0;
    while (at < count && buffer.get(at) != ' ') {
      at++;
    }
    if (at >= count) {
      return -1;
    }
    long pages = 0;
    for (at++; at < count && buffer.get(at) != ' '; at++) {
      pages = pages * 10 + buffer.get(at) - '0';
    }
    return pages;
  }

  /** Gives back what is held of processes that are gone. */
  void forgetAllBut(List<Integer> living) {
    if (sizes.size() < MOST_HELD) {
      return;
    }
    Set<Integer> alive = Set.copyOf(living);
    sizes
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = !alive.contains(entry.getKey());
              if (gone) {
                posix.close(entry.getValue());
              }
              return gone;
            });
  }

  /**
   * A file below {@code /proc}; empty when the process is gone or does not let itself be seen.
   *
   * @throws PosixException if the kernel lacks descriptors or memory for the look
   */
  String read(String file) {
    int fd;
    try {
      fd = posix.openat(proc, file.getBytes(US_ASCII), Constants.O_RDONLY, 0);
    } catch (PosixException e) {
      e.throwIfShortage();
      return "";
    }
    try {
      return new String(posix.readFully(fd, LARGEST, file), ISO_8859_1);
    } catch (PosixException e) {
      e.throwIfShortage();
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
    sizes.values().forEach(posix::close);
    sizes.clear();
  }
}
