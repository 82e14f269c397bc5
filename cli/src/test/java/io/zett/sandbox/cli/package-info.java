@NullMarked
package io.zett.sandbox.cli;

import org.jspecify.annotations.NullMarked;
