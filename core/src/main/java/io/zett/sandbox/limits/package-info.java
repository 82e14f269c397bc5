/**
 * Limits of one command's whole tree: control groups, a watchdog and resource limits, chosen for
 * each limit by itself, and what each of them really enforces here.
 */
@NullMarked
package io.zett.sandbox.limits;

import org.jspecify.annotations.NullMarked;
