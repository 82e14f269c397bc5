package io.zett.sandbox.posix;

import java.util.List;

/** Waiting for many descriptors at once. */
public interface PollingCalls {

  int epollCreate();

  /** {@code data} comes back with each event. */
  void epollCtl(int epoll, int operation, int fd, int events, long data);

  /**
   * Waits for at most {@code timeoutMillis} (-1: without end) and returns at most {@code max}
   * events; empty after the time or a signal.
   */
  List<PollEvent> epollWait(int epoll, int max, int timeoutMillis);

  /** A non-blocking counter to wake a loop with. */
  int eventfd();

  /** A non-blocking inotify instance. */
  int inotifyInit();

  /** {@code IN_} bits; returns the watch's number. */
  int inotifyAddWatch(int inotify, UnixPath path, int mask);

  /** Ends a watch; one that the kernel has ended already is no error. */
  void inotifyRemoveWatch(int inotify, int watch);
}
