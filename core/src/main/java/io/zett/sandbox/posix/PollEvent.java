package io.zett.sandbox.posix;

/** One ready descriptor: the {@code EPOLL} bits and the data given to {@code epollCtl}. */
public record PollEvent(int events, long data) {}
