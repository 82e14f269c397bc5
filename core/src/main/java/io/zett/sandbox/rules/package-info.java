/**
 * The pure meaning of a policy: which path rule wins, which credentials are hidden, which variables
 * pass. Nothing here looks at the disk or at the caller's environment.
 */
@NullMarked
package io.zett.sandbox.rules;

import org.jspecify.annotations.NullMarked;
