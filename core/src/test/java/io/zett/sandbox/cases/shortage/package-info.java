/** What the machine or the JVM runs short of is told, and once it is there again all works. */
@NullMarked
package io.zett.sandbox.cases.shortage;

import org.jspecify.annotations.NullMarked;
