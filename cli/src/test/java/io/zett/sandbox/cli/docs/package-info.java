/** The documentation's examples are run, and what is said of their output is compared. */
@NullMarked
package io.zett.sandbox.cli.docs;

import org.jspecify.annotations.NullMarked;
