package io.zett.sandbox.process;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Posix;

/** A descriptor's registration with an {@link EventLoop}; used on the loop's thread only. */
public final class Watch {

  /** What is done when the descriptor is ready. */
  @FunctionalInterface
  public interface Handler {
    /** Called with the {@code EPOLL} events that came. */
    void ready(int events);
  }

  private final Posix posix;
  private final int epoll;
  private final int fd;
  private final long number;
  private final Handler handler;
  private int wanted;

  Watch(Posix posix, int epoll, int fd, long number, Handler handler) {
    this.posix = posix;
    this.epoll = epoll;
    this.fd = fd;
    this.number = number;
    this.handler = handler;
  }

  long number() {
    return number;
  }

  /**
   * Changes what is waited for. Nothing at all takes the descriptor out of the set, since epoll
   * reports a hang-up even to those who did not ask, again and again.
   */
  void want(int events) {
    if (events == wanted) {
      return;
    }
    int operation =
        wanted == 0
            ? Constants.EPOLL_CTL_ADD
            : events == 0 ? Constants.EPOLL_CTL_DEL : Constants.EPOLL_CTL_MOD;
    posix.epollCtl(epoll, operation, fd, events, number);
    wanted = events;
  }

  void ready(int events) {
    if (wanted != 0) {
      handler.ready(events);
    }
  }
}
