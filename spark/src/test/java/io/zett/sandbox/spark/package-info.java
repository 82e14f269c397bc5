@NullMarked
package io.zett.sandbox.spark;

import org.jspecify.annotations.NullMarked;
