/** Nothing is said to the caller's streams that was not asked for. */
@NullMarked
package io.zett.sandbox.cases.watching;

import org.jspecify.annotations.NullMarked;
