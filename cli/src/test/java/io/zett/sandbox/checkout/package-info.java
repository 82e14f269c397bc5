/** Tests of {@code ./zett}, the script that runs the command from a checkout. */
@NullMarked
package io.zett.sandbox.checkout;

import org.jspecify.annotations.NullMarked;
