package io.zett.sandbox.posix;

/** What {@code uname(2)} says. */
public record SystemName(
    String system, String node, String release, String version, String machine) {}
