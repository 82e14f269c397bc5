package io.zett.sandbox.limits;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;

/**
 * The notice of version 1 that a group ran out of memory: an eventfd that the kernel counts up
 * (Documentation/admin-guide/cgroup-v1/memory.rst, "OOM Control").
 */
final class OomEvent {
  private OomEvent() {}

  /** The eventfd, or -1 where the kernel does not offer it: then the counter must be looked at. */
  static int register(Posix posix, UnixPath group) {
    int event = posix.eventfd();
    try {
      int control = posix.open(group.resolve("memory.oom_control"), Constants.O_RDONLY, 0);
      try {
        ControlFile.write(posix, group.resolve("cgroup.event_control"), event + " " + control);
        return event;
      } finally {
        posix.close(control);
      }
    } catch (PosixException e) {
      posix.close(event);
      return -1;
    }
  }
}
