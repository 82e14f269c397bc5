package io.zett.sandbox.process;

/** A limit that zett-init sets for the command: {@code RLIMIT_} resource, unsigned values. */
public record Rlimit(int resource, long soft, long hard) {}
