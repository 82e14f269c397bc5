/** Tests of the engine from within: with an operating system that refuses. */
@NullMarked
package io.zett.sandbox.engine;

import org.jspecify.annotations.NullMarked;
