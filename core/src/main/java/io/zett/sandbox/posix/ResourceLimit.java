package io.zett.sandbox.posix;

/** A soft and a hard limit of {@code prlimit(2)}, unsigned; {@code RLIM_INFINITY} is none. */
public record ResourceLimit(long soft, long hard) {}
