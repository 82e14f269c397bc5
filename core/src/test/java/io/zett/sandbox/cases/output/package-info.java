/** What goes into a command and comes out of it arrives whole. */
@NullMarked
package io.zett.sandbox.cases.output;

import org.jspecify.annotations.NullMarked;
