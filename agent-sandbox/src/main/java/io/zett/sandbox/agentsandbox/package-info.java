/**
 * Zett Sandbox for agent-sandbox: {@link io.zett.sandbox.agentsandbox.ZettSandbox} takes the place
 * of its {@code LocalSandbox}.
 */
@NullMarked
package io.zett.sandbox.agentsandbox;

import org.jspecify.annotations.NullMarked;
