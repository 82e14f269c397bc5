package io.zett.sandbox.posix;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starting, signalling and waiting for processes. */
public interface ProcessCalls {

  /**
   * Starts a program with {@code posix_spawn(3)}: default signal actions, an empty signal mask, a
   * process group of its own, and no descriptor but the mapped ones (the mappings are applied as if
   * at once: no target clobbers another's source; with glibc from 2.34 on everything above the
   * highest target is closed too).
   *
   * @return the child's pid; the caller must wait for it
   * @throws PosixException also for what {@code execve(2)} refused
   */
  int spawn(UnixPath program, List<byte[]> argv, List<byte[]> env, List<Mapping> mappings);

  /** {@code pidfd_open(2)}, kernel 5.3. */
  int pidfdOpen(int pid, int flags);

  /**
   * A copy of another process's descriptor, {@code pidfd_getfd(2)}, kernel 5.6; it takes the right
   * to trace that process.
   */
  int pidfdGetfd(int pidfd, int fd);

  /** False when the process is gone already. */
  boolean pidfdSendSignal(int pidfd, int signal);

  /** {@code kill(2)}; false when there is no such process. Use a pidfd wherever one is at hand. */
  boolean kill(int pid, int signal);

  /**
   * Gives this process's answer to a signal back to the system, {@code signal(3)}: the default
   * action, or none. Children that {@link #spawn} starts have the default either way.
   */
  void releaseSignal(int signal, boolean ignored);

  /** {@code wait4(2)}; null when {@code WNOHANG} was given and nothing happened. */
  @Nullable Waited wait4(int pid, int options);

  /**
   * Waits until a child is stopped or dead, without taking its status away: {@code waitid(2)} with
   * {@code WSTOPPED|WEXITED|WNOWAIT}. False when it is no child of ours (any more).
   */
  boolean awaitStopOrDeath(int pid);

  /**
   * Takes the status of a dead child away, {@code waitid(2)} with {@code P_PIDFD}, kernel 5.4.
   * False when it is no child of ours or not dead.
   */
  boolean reap(int pidfd);

  ResourceLimit getrlimit(int pid, int resource);

  /** {@code prlimit(2)}; pid 0 is this process. */
  void setrlimit(int pid, int resource, ResourceLimit limit);

  /** The processors that a process may run on, {@code sched_getaffinity(2)}; 0 is this thread. */
  BitSet processors(int pid);

  /** Lets a process run on these processors only, {@code sched_setaffinity(2)}. */
  void setProcessors(int pid, BitSet processors);
}
