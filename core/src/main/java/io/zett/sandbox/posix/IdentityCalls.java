package io.zett.sandbox.posix;

/** Who this process is and what it runs on. */
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

  /** {@code sysconf(3)} with an {@code SC_} constant; -1 when unknown. */
  long sysconf(int name);

  /** Clock ticks a second, the unit of {@code /proc/PID/stat}. */
  default long clockTicks() {
    return sysconf(Constants.SC_CLK_TCK);
  }
}
