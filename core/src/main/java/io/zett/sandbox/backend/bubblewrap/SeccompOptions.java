package io.zett.sandbox.backend.bubblewrap;

/**
 * What differs between the seccomp programs of two sandboxes.
 *
 * @param workspaceIsSetgid the workspace has the set-group-id bit, so that every directory made in
 *     it inherits the bit: copying such a directory sets it again, and only set-user-id is refused
 * @param blockUnixSockets refuse {@code socket(AF_UNIX)}; socket pairs remain
 */
public record SeccompOptions(boolean workspaceIsSetgid, boolean blockUnixSockets) {

  /** A workspace without the bit, Unix sockets allowed. */
  public static final SeccompOptions DEFAULT = new SeccompOptions(false, false);

  /** One written out: the record's own would be generated at each start of a JVM. */
  @Override
  public int hashCode() {
    return (workspaceIsSetgid ? 2 : 0) + (blockUnixSockets ? 1 : 0);
  }
}
