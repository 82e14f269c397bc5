/** {@code zett mcp}: tools of one sandbox for a client of the Model Context Protocol. */
@NullMarked
package io.zett.sandbox.mcp;

import org.jspecify.annotations.NullMarked;
