/**
 * Zett Sandbox for LangChain4j: {@link io.zett.sandbox.langchain4j.SandboxToolProvider} has the
 * tools, {@link io.zett.sandbox.langchain4j.SandboxCodeExecutionEngine} runs code.
 */
@NullMarked
package io.zett.sandbox.langchain4j;

import org.jspecify.annotations.NullMarked;
