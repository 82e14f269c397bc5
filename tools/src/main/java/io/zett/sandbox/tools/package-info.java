/**
 * Tools for agents: {@link io.zett.sandbox.tools.SandboxTools} runs them, {@link
 * io.zett.sandbox.tools.ToolDescription} tells a model about them.
 */
@NullMarked
package io.zett.sandbox.tools;

import org.jspecify.annotations.NullMarked;
