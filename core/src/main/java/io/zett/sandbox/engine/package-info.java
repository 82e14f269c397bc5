/** One command from policy to result, the life of an open sandbox, and the doctor. */
@NullMarked
package io.zett.sandbox.engine;

import org.jspecify.annotations.NullMarked;
