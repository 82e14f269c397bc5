/**
 * Attacks on every limit, through the public API. What an attack could do decides what may be said
 * about a limit.
 */
@NullMarked
package io.zett.sandbox.limits.attacks;

import org.jspecify.annotations.NullMarked;
