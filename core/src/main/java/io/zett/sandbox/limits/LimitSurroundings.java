package io.zett.sandbox.limits;

/**
 * What decides which mechanisms can be used, beside control groups.
 *
 * @param pidNamespace the command has its own pid namespace, {@code /proc} and scratch file
 *     systems, and its user namespace counts its processes by itself
 * @param root the caller is root, whom RLIMIT_NPROC does not bind
 * @param kernelMajor of {@code uname -r}
 * @param kernelMinor of {@code uname -r}
 * @param controlGroups whether control groups may be used; tests hide them
 */
public record LimitSurroundings(
    boolean pidNamespace, boolean root, int kernelMajor, int kernelMinor, boolean controlGroups) {

  /** Since Linux 5.14 RLIMIT_NPROC counts each user namespace by itself (kernel/ucount.c). */
  boolean countsTasksPerNamespace() {
    return kernelMajor > 5 || (kernelMajor == 5 && kernelMinor >= 14);
  }
}
