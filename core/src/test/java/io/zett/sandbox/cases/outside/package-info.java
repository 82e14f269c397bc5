/** What tests see of commands from outside: processes, descriptors, other JVMs. */
@NullMarked
package io.zett.sandbox.cases.outside;

import org.jspecify.annotations.NullMarked;
