package io.zett.sandbox.host;

import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.UnixPath;
import org.jspecify.annotations.Nullable;

/**
 * A mount that must be there in a finished sandbox.
 *
 * @param destination its exact place
 * @param source a file of the host that it must be; null when {@code identity} says it, or when it
 *     is a file system of its own
 * @param identity what was seen at the source when the mount was planned; null when not looked at
 */
public record MountCheck(
    UnixPath destination, @Nullable UnixPath source, @Nullable FileStatus identity) {

  /** A mount of what was seen there. */
  public static MountCheck of(UnixPath destination, @Nullable FileStatus identity) {
    return new MountCheck(destination, null, identity);
  }

  /** A mount of a file that belongs to this process alone. */
  public static MountCheck sameAs(UnixPath destination, UnixPath source) {
    return new MountCheck(destination, source, null);
  }

  /** A mount of whatever kind. */
  public static MountCheck present(UnixPath destination) {
    return new MountCheck(destination, null, null);
  }
}
