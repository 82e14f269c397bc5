package io.zett.sandbox.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** {@link PollingCalls} through {@link Kernel}. */
interface NativePollingCalls extends PollingCalls {

  /** {@code struct epoll_event} is packed on x86-64 only (epoll_ctl(2), eventpoll.h). */
  long DATA_OFFSET = Architecture.current() == Architecture.X86_64 ? 4 : 8;

  long EVENT_SIZE = DATA_OFFSET + 8;

  @Override
  default int epollCreate() {
    long result = Kernel.raw(SystemCall.EPOLL_CREATE1, Constants.O_CLOEXEC, 0);
    return (int) Kernel.check(SystemCall.EPOLL_CREATE1, "", result);
  }

  @Override
  default void epollCtl(int epoll, int operation, int fd, int events, long data) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment event = scratch.allocate(EVENT_SIZE, 8);
      event.set(JAVA_INT, 0, events);
      event.set(JAVA_LONG_UNALIGNED, DATA_OFFSET, data);
      long result = Kernel.raw(SystemCall.EPOLL_CTL, epoll, operation, fd, event.address());
      Kernel.check(SystemCall.EPOLL_CTL, fd, result);
    }
  }

  @Override
  default List<PollEvent> epollWait(int epoll, int max, int timeoutMillis) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment events = scratch.allocate(max * EVENT_SIZE, 8);
      int count =
          (int)
              Kernel.check(
                  SystemCall.EPOLL_PWAIT,
                  epoll,
                  Kernel.raw(
                      SystemCall.EPOLL_PWAIT, epoll, events.address(), max, timeoutMillis, 0, 8));
      List<PollEvent> found = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        found.add(
            new PollEvent(
                events.get(JAVA_INT_UNALIGNED, i * EVENT_SIZE),
                events.get(JAVA_LONG_UNALIGNED, i * EVENT_SIZE + DATA_OFFSET)));
      }
      return found;
    }
  }

  @Override
  default int eventfd() {
    long flags = Constants.O_CLOEXEC | Constants.O_NONBLOCK;
    return (int) Kernel.check(SystemCall.EVENTFD2, "", Kernel.raw(SystemCall.EVENTFD2, 0, flags));
  }

  @Override
  default int inotifyInit() {
    long flags = Constants.O_CLOEXEC | Constants.O_NONBLOCK;
    return (int)
        Kernel.check(SystemCall.INOTIFY_INIT1, "", Kernel.raw(SystemCall.INOTIFY_INIT1, flags, 0));
  }

  @Override
  default int inotifyAddWatch(int inotify, UnixPath path, int mask) {
    try (Scratch scratch = Scratch.take()) {
      long text = Kernel.string(scratch, path);
      long result = Kernel.raw(SystemCall.INOTIFY_ADD_WATCH, inotify, text, mask & 0xffffffffL, 0);
      return (int) Kernel.check(SystemCall.INOTIFY_ADD_WATCH, path, result);
    }
  }

  @Override
  default void inotifyRemoveWatch(int inotify, int watch) {
    Kernel.raw(SystemCall.INOTIFY_RM_WATCH, inotify, watch);
  }
}
