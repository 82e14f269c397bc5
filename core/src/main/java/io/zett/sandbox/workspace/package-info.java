/**
 * What the library puts on the disk and takes away again: private directories, deletion that never
 * leaves its tree, placeholders for denied paths that do not exist yet.
 *
 * <p>Everything works through directory descriptors, so that a command (or another user of the
 * machine) that exchanges a directory for a link cannot lead it elsewhere.
 */
@NullMarked
package io.zett.sandbox.workspace;

import org.jspecify.annotations.NullMarked;
