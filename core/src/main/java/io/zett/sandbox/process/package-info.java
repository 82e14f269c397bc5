/**
 * Starting, feeding, reading and ending commands: an event loop on one thread, and a {@link
 * io.zett.sandbox.process.Supervisor} for each command. The only package that starts processes.
 */
@NullMarked
package io.zett.sandbox.process;

import org.jspecify.annotations.NullMarked;
