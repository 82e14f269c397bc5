/**
 * Zett Sandbox for Spring AI: {@link io.zett.sandbox.springai.SandboxToolCallbackProvider} has the
 * tools, {@link io.zett.sandbox.springai.SandboxAutoConfiguration} makes them of the properties
 * {@code zett.sandbox.*}.
 */
@NullMarked
package io.zett.sandbox.springai;

import org.jspecify.annotations.NullMarked;
