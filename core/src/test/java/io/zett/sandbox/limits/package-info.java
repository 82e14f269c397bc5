@NullMarked
package io.zett.sandbox.limits;

import org.jspecify.annotations.NullMarked;
