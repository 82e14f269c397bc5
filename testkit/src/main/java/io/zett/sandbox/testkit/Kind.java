package io.zett.sandbox.testkit;

/** What an attack goes for. */
public enum Kind {
  /** Files that commands may not write or read. */
  FILES("Files"),
  /** Secrets in home directories and of the system. */
  CREDENTIALS("Credentials"),
  /** The caller's variables, arguments and open descriptors. */
  ENVIRONMENT("Environment and descriptors"),
  /** System calls, and the kernel's own files. */
  KERNEL("Kernel"),
  /** Unix sockets. */
  SOCKETS("Unix sockets"),
  /** Everything that leaves the machine, or reaches its other services. */
  NETWORK("Network"),
  /** Devices and terminals. */
  DEVICES("Devices and terminals"),
  /** Other users, and privileges. */
  IDENTITY("Identity and privileges"),
  /** Files that give their owner's rights to others. */
  SET_ID("Set-id files"),
  /** Other processes, and outliving the command. */
  PROCESSES("Processes"),
  /** More than the budget. */
  LIMITS("Limits");

  private final String title;

  Kind(String title) {
    this.title = title;
  }

  /** As a heading. */
  public String title() {
    return title;
  }
}
