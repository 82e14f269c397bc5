/**
 * macOS: a policy as a profile of the Seatbelt sandbox, for {@code /usr/bin/sandbox-exec}. Pure
 * text; docs/platforms.md says what of it has been run.
 */
@NullMarked
package io.zett.sandbox.backend.seatbelt;

import org.jspecify.annotations.NullMarked;
