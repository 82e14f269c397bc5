/**
 * The operating system's calls, byte-exact paths and the kernel's constants: the only place that
 * uses {@code java.lang.foreign}.
 */
@NullMarked
package io.zett.sandbox.posix;

import org.jspecify.annotations.NullMarked;
