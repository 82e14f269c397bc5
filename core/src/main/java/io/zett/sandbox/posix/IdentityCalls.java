package io.zett.sandbox.posix;

/** Who this process is, what it runs on, and what nobody can guess. */
public interface IdentityCalls {

  int getuid();

  int geteuid();

  int getgid();

  int getegid();

  /** The supplementary groups. */
  int[] getgroups();

  int getpid();

  int getppid();

  SystemName uname();

  /** The version of Landlock's interface in this kernel (landlock(7)); 0 when it has none. */
  int landlockVersion();

  /** The node name. */
  default String gethostname() {
    return uname().node();
  }

  /** So many bytes, at most 256, that nobody can guess: {@code getrandom(2)}. */
  byte[] random(int count);

  /** {@code sysconf(3)} with an {@code SC_} constant; -1 when unknown. */
  long sysconf(int name);

  /** Clock ticks a second, the unit of {@code /proc/PID/stat}. */
  default long clockTicks() {
    return sysconf(Constants.SC_CLK_TCK);
  }
}
