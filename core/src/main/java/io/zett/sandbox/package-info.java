/**
 * Runs programs in a sandbox: a workspace they may write, a rest of the disk they may only read, no
 * network, and a budget.
 *
 * <p>{@link io.zett.sandbox.SandboxSession} is where to start. {@link
 * io.zett.sandbox.SandboxPolicy}, {@link io.zett.sandbox.SandboxCommand} and {@link
 * io.zett.sandbox.SandboxResult} are immutable values; what a platform enforces is told by {@link
 * io.zett.sandbox.ResourceReport}. All errors are unchecked. Unless a page says otherwise, {@code
 * null} is refused with a {@link NullPointerException}.
 */
@NullMarked
package io.zett.sandbox;

import org.jspecify.annotations.NullMarked;
