package io.zett.sandbox.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link ProcessCalls} through {@link Kernel}. */
interface NativeProcessCalls extends ProcessCalls {

  MemorySegment SIGNAL = Kernel.function("signal");

  /** {@code sizeof(struct rusage)} on 64-bit Linux. */
  int RUSAGE = 144;

  /** {@code sizeof(siginfo_t)}. */
  int SIGINFO = 128;

  /** {@code P_PID} of {@code waitid(2)}. */
  int P_PID = 1;

  /** {@code P_PIDFD} of {@code waitid(2)}. */
  int P_PIDFD = 3;

  @Override
  default int spawn(UnixPath program, List<byte[]> argv, List<byte[]> env, List<Mapping> mappings) {
    return Spawn.run(this::duplicate, this::release, program, argv, env, mappings);
  }

  private int duplicate(int fd) {
    long result = Kernel.raw(SystemCall.FCNTL, fd, Constants.F_DUPFD_CLOEXEC, Mapping.RESERVED, 0);
    return (int) Kernel.check(SystemCall.FCNTL, fd, result);
  }

  private void release(int fd) {
    Kernel.raw(SystemCall.CLOSE, fd, 0);
  }

  @Override
  default int pidfdOpen(int pid, int flags) {
    long result = Kernel.raw(SystemCall.PIDFD_OPEN, pid, flags);
    return (int) Kernel.check(SystemCall.PIDFD_OPEN, pid, result);
  }

  @Override
  default int pidfdGetfd(int pidfd, int fd) {
    long result = Kernel.raw(SystemCall.PIDFD_GETFD, pidfd, fd, 0, 0);
    return (int) Kernel.check(SystemCall.PIDFD_GETFD, fd, result);
  }

  @Override
  default boolean pidfdSendSignal(int pidfd, int signal) {
    long result = Kernel.raw(SystemCall.PIDFD_SEND_SIGNAL, pidfd, signal, 0, 0);
    return result != -Errno.ESRCH
        && Kernel.check(SystemCall.PIDFD_SEND_SIGNAL, signal, result) == 0;
  }

  @Override
  default boolean kill(int pid, int signal) {
    if (pid <= 0) {
      throw new IllegalArgumentException("kill takes one process here, not " + pid);
    }
    long result = Kernel.raw(SystemCall.KILL, pid, signal);
    return result != -Errno.ESRCH && Kernel.check(SystemCall.KILL, pid, result) == 0;
  }

  @Override
  default @Nullable Waited wait4(int pid, int options) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment status = scratch.allocate(JAVA_INT);
      MemorySegment usage = scratch.allocate(RUSAGE, 8);
      long result = Kernel.raw(SystemCall.WAIT4, pid, status.address(), options, usage.address());
      int changed = (int) Kernel.check(SystemCall.WAIT4, pid, result);
      return changed == 0
          ? null
          : new Waited(
              changed,
              status.get(JAVA_INT, 0),
              usage.get(JAVA_LONG, 0) * 1_000_000 + usage.get(JAVA_LONG, 8),
              usage.get(JAVA_LONG, 16) * 1_000_000 + usage.get(JAVA_LONG, 24),
              usage.get(JAVA_LONG, 32));
    }
  }

  @Override
  default boolean awaitStopOrDeath(int pid) {
    try (Scratch scratch = Scratch.take()) {
      long info = scratch.allocate(SIGINFO, 8).address();
      long options = Constants.WUNTRACED | Constants.WEXITED | Constants.WNOWAIT;
      long result = Kernel.raw(SystemCall.WAITID, P_PID, pid, info, options);
      return result != -Errno.ECHILD && Kernel.check(SystemCall.WAITID, pid, result) == 0;
    }
  }

  @Override
  default boolean reap(int pidfd) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment info = scratch.allocate(SIGINFO, 8);
      long options = Constants.WEXITED | Constants.WNOHANG;
      long result = Kernel.raw(SystemCall.WAITID, P_PIDFD, pidfd, info.address(), options);
      // Nothing has happened when si_signo, the first field, is 0.
      return result == 0 && info.get(JAVA_INT, 0) != 0;
    }
  }

  @Override
  default void releaseSignal(int signal, boolean ignored) {
    // SIG_DFL is 0 and SIG_IGN 1 in every C library of Linux.
    Kernel.libc(SIGNAL, signal, ignored ? 1 : 0, 0, 0, 0, 0);
  }

  @Override
  default ResourceLimit getrlimit(int pid, int resource) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment old = scratch.allocate(2L * Long.BYTES, Long.BYTES);
      long result = Kernel.raw(SystemCall.PRLIMIT64, pid, resource, 0, old.address());
      Kernel.check(SystemCall.PRLIMIT64, pid, result);
      return new ResourceLimit(old.getAtIndex(JAVA_LONG, 0), old.getAtIndex(JAVA_LONG, 1));
    }
  }

  @Override
  default void setrlimit(int pid, int resource, ResourceLimit limit) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment wanted = scratch.allocateFrom(JAVA_LONG, limit.soft(), limit.hard());
      long result = Kernel.raw(SystemCall.PRLIMIT64, pid, resource, wanted.address(), 0);
      Kernel.check(SystemCall.PRLIMIT64, pid, result);
    }
  }

  /** Bytes of a set of up to 8,192 processors, the kernel's largest. */
  int CPU_SET = 1024;

  @Override
  default BitSet processors(int pid) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment set = scratch.allocate(CPU_SET, 8);
      long result = Kernel.raw(SystemCall.SCHED_GETAFFINITY, pid, CPU_SET, set.address(), 0);
      long bytes = Kernel.check(SystemCall.SCHED_GETAFFINITY, pid, result);
      return BitSet.valueOf(set.asSlice(0, bytes).toArray(JAVA_LONG));
    }
  }

  @Override
  default void setProcessors(int pid, BitSet processors) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment set = scratch.allocate(CPU_SET, 8);
      MemorySegment.copy(
          processors.toLongArray(), 0, set, JAVA_LONG, 0, processors.toLongArray().length);
      long result = Kernel.raw(SystemCall.SCHED_SETAFFINITY, pid, CPU_SET, set.address(), 0);
      Kernel.check(SystemCall.SCHED_SETAFFINITY, pid, result);
    }
  }
}
