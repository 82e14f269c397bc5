package io.zett.sandbox.testkit;

/** What the contract promises, and an attack puts to the test. */
public enum Claim {
  /** Of the disk. */
  READ_ONLY("the rest of the disk is readable, not writable"),
  /** Of {@code denyWrite}. */
  DENY_WRITE("denyWrite stays unwritable inside a writable directory, whether it exists or not"),
  /** Of {@code denyRead}. */
  DENY_READ("denyRead can be neither read nor written, whether it exists or not"),
  /** Of {@code writable}. */
  WRITABLE("only the workspace and the writable directories are open, whatever commands replace"),
  /** Of {@code /tmp}. */
  PRIVATE_TEMPORARY("/tmp is private to each command and gone with it"),
  /** Of the credential list. */
  CREDENTIALS("credentials are hidden"),
  /** Of the environment. */
  ENVIRONMENT("only allow-listed variables of the caller reach the command"),
  /** Of descriptors. */
  DESCRIPTORS("nothing that the caller has open reaches the command but its three streams"),
  /** Of the kernel's files. */
  KERNEL_FILES("the kernel's files in /proc and /sys are neither knobs nor secrets"),
  /** Of the seccomp program. */
  SYSTEM_CALLS("calls that open the kernel to attack are refused"),
  /** Of mounts. */
  MOUNTS("the view of the disk cannot be changed from inside"),
  /** Of keyrings. */
  KEYRINGS("the caller's keys in the kernel are out of reach"),
  /** Of Unix sockets. */
  SOCKETS("no socket of the host that is there at the start can be reached"),
  /** Of the network. */
  NETWORK("the network is off"),
  /** Of devices. */
  DEVICES("devices of the host are out of reach"),
  /** Of terminals. */
  TERMINAL("nothing can be typed into a terminal of the caller"),
  /** Of privileges. */
  PRIVILEGES("commands have no privileges and gain none"),
  /** Of set-id bits. */
  SET_ID("no set-id file is left on the host"),
  /** Of other processes. */
  OTHER_PROCESSES("processes of the host can be neither seen nor touched"),
  /** Of the first process inside. */
  FIRST_PROCESS("the first process inside is out of the command's reach"),
  /** Of the end. */
  END("nothing of a command outlives it"),
  /** Of the time limit. */
  TIMEOUT("at the time limit the whole tree is killed"),
  /** Of limits. */
  LIMITS("each limit holds for the command and everything that it starts");

  private final String text;

  Claim(String text) {
    this.text = text;
  }

  /** The promise. */
  public String text() {
    return text;
  }
}
