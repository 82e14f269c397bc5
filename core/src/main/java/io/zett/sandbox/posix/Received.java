package io.zett.sandbox.posix;

/**
 * A read from a socket that passes credentials.
 *
 * @param count bytes read, 0 at the end, or the negated error number
 * @param pid the sender's process in the reader's namespace; -1 when unknown
 */
public record Received(long count, int pid) {}
