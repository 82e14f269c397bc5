/** What the documentation says and shows, other than in its blocks of code. */
@NullMarked
package io.zett.sandbox.docs;

import org.jspecify.annotations.NullMarked;
