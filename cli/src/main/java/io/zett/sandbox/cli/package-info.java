/** The {@code zett} command: options to a policy, one command to its end, a result to people. */
@NullMarked
package io.zett.sandbox.cli;

import org.jspecify.annotations.NullMarked;
