/**
 * Starting, following and ending commands with what every JDK has, for systems whose own calls this
 * library does not make: {@link ProcessBuilder}, {@link ProcessHandle} and {@code java.nio.file}.
 */
@NullMarked
package io.zett.sandbox.portable;

import org.jspecify.annotations.NullMarked;
