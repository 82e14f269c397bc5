/**
 * The Linux backend: a policy and a view of the disk become bubblewrap's arguments and a seccomp
 * program.
 */
@NullMarked
package io.zett.sandbox.backend.bubblewrap;

import org.jspecify.annotations.NullMarked;
