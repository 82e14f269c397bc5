/** However a command ends, nothing of it lives on. */
@NullMarked
package io.zett.sandbox.cases.ending;

import org.jspecify.annotations.NullMarked;
