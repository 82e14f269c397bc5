package io.zett.sandbox.springai;

import io.zett.sandbox.tools.SandboxTools;
import io.zett.sandbox.tools.ToolName;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;

/**
 * The tools of a sandbox for Spring AI.
 *
 * <pre>{@code
 * ChatClient.builder(model)
 *     .defaultToolCallbacks(SandboxToolCallbackProvider.of(tools))
 *     .build();
 * }</pre>
 *
 * <p>A tool answers with text. A command that fails is an answer with its exit code and what it
 * wrote. A wrong call, be it arguments that are no JSON, is a {@code ToolExecutionException} whose
 * cause is a {@link io.zett.sandbox.tools.ToolException}: Spring AI gives its message, which says
 * what to do instead, to the model, unless the application has it thrown ({@code
 * spring.ai.tools.throw-exception-on-error}).
 *
 * <p>Closing the tools, or their session, ends what they have started; the provider itself has
 * nothing to close. Immutable and thread-safe.
 */
public final class SandboxToolCallbackProvider implements ToolCallbackProvider {
  private final List<ToolCallback> callbacks;

  private SandboxToolCallbackProvider(List<ToolCallback> callbacks) {
    this.callbacks = callbacks;
  }

  /** All tools. */
  public static SandboxToolCallbackProvider of(SandboxTools tools) {
    return of(tools, Arrays.asList(ToolName.values()));
  }

  /**
   * Some of the tools, in the order of {@link ToolName}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static SandboxToolCallbackProvider of(SandboxTools tools, Collection<ToolName> names) {
    Objects.requireNonNull(tools, "tools");
    Set<ToolName> wanted = Set.copyOf(names);
    if (wanted.isEmpty()) {
      throw new IllegalArgumentException("names: there is none; give one of ToolName or more");
    }
    return new SandboxToolCallbackProvider(
        tools.descriptions().stream()
            .filter(description -> wanted.contains(description.tool()))
            .<ToolCallback>map(description -> new SandboxToolCallback(tools, description))
            .toList());
  }

  @Override
  public ToolCallback[] getToolCallbacks() {
    return callbacks.toArray(ToolCallback[]::new);
  }
}
