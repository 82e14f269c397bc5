@NullMarked
package io.zett.sandbox.mcp;

import org.jspecify.annotations.NullMarked;
