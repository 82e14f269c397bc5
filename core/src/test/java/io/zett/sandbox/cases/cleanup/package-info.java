/** What a session made is gone with it, and nothing else is. */
@NullMarked
package io.zett.sandbox.cases.cleanup;

import org.jspecify.annotations.NullMarked;
