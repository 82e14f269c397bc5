package io.zett.sandbox.posix;

/**
 * The numbers under which a launcher, and zett-init in it, find what they are given. The caller's
 * own descriptors never stand at these numbers when the child starts.
 */
public final class LaunchDescriptors {

  /** {@code /dev/null}: a launcher has no use for the caller's standard streams. */
  public static final int NULL_IN = 0;

  public static final int NULL_OUT = 1;

  /** What the launcher says when it fails. */
  public static final int LAUNCHER_ERR = 2;

  /** The launcher's packed arguments. */
  public static final int ARGUMENTS = 3;

  /** The zett-init program. */
  public static final int INIT = 4;

  /** The packed seccomp program. */
  public static final int SECCOMP = 5;

  /** zett-init's end of the control socket. */
  public static final int CONTROL = 6;

  /** The command's standard streams. */
  public static final int STDIN = 7;

  public static final int STDOUT = 8;
  public static final int STDERR = 9;

  /** The first of the control groups to join, one descriptor each. */
  public static final int GROUPS = 10;

  private LaunchDescriptors() {}
}
