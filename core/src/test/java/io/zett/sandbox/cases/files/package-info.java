/** What the host program does with the files of a workspace. */
@NullMarked
package io.zett.sandbox.cases.files;

import org.jspecify.annotations.NullMarked;
