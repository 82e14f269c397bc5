package io.zett.sandbox.rules;

import io.zett.sandbox.posix.UnixPath;

/**
 * A path where access changes: it differs from that of the enclosing directory.
 *
 * @param path where
 * @param access what holds from there on
 * @param because the kind of the rule that decides it
 */
public record Boundary(UnixPath path, Access access, PathRule.Kind because) {}
