package io.zett.sandbox.posix;

import org.jspecify.annotations.Nullable;

/**
 * One path as it was seen, links not followed.
 *
 * @param path where
 * @param status what was there; null when nothing was, or nothing that could be looked at
 * @param unreachable whether it could not be looked at ({@code EACCES}, {@code ENAMETOOLONG})
 * @param target where it leads, when it is a link
 * @param timed whether its modification time counts, too
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on as it is, never compared.
public record SeenFile(
    UnixPath path,
    @Nullable FileStatus status,
    boolean unreachable,
    byte @Nullable [] target,
    boolean timed) {}
