package io.zett.sandbox.posix;

/**
 * The operating system's calls.
 *
 * <p>An interface, so that tests can put a decorator in between that makes a call fail. Calls block
 * as the kernel's do and are restarted after a signal. Every descriptor that they make is closed on
 * exec. Methods throw {@link PosixException} unless they say otherwise. Thread-safe.
 */
public interface Posix
    extends FileCalls, DirectoryCalls, ChannelCalls, PollingCalls, ProcessCalls, IdentityCalls {

  /**
   * This machine's own calls.
   *
   * @throws PosixUnavailableException if the JVM may not make native calls, or if this is no Linux
   *     on x86-64 or AArch64
   */
  static Posix system() {
    return NativePosix.instance();
  }
}
