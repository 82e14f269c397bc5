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
}
