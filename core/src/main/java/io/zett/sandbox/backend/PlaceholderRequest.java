package io.zett.sandbox.backend;

import io.zett.sandbox.posix.UnixPath;

/**
 * A denied path that does not exist where commands may write: something has to stand there while
 * the command runs, or the command could make it.
 *
 * @param firstMissing the first component that does not exist
 * @param directory whether a directory must stand there
 */
public record PlaceholderRequest(UnixPath firstMissing, boolean directory) {}
