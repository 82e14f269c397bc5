/** The real operating system with a hand in between: calls that are counted, kept and failed. */
@NullMarked
package io.zett.sandbox.faults;

import org.jspecify.annotations.NullMarked;
