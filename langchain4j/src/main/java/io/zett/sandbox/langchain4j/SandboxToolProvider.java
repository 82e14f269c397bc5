package io.zett.sandbox.langchain4j;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.zett.sandbox.tools.SandboxTools;
import io.zett.sandbox.tools.ToolDescription;
import io.zett.sandbox.tools.ToolName;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The tools of a sandbox for LangChain4j.
 *
 * <pre>{@code
 * Programmer programmer = AiServices.builder(Programmer.class)
 *     .chatModel(model)
 *     .toolProvider(SandboxToolProvider.of(tools))
 *     .build();
 * }</pre>
 *
 * <p>A result has the text that the model reads; as {@code result()} the same as maps and lists;
 * and of a command as attributes what {@link CommandOutcome} reads. As with LangChain4j's own shell
 * tool it {@code isError()} also when a command ends otherwise than with status 0. A wrong call, be
 * it arguments that are no JSON, is a result that says what to do instead: nothing is thrown. The
 * metadata of a specification has {@code title}, {@code readOnlyHint}, {@code destructiveHint} and
 * {@code openWorldHint}, for an application that asks somebody before it calls a tool.
 *
 * <p>Closing the tools, or their session, ends what they have started; the provider itself has
 * nothing to close. Immutable and thread-safe: tools can be executed concurrently.
 */
public final class SandboxToolProvider implements ToolProvider {
  private final Map<ToolSpecification, ToolExecutor> tools;

  private SandboxToolProvider(Map<ToolSpecification, ToolExecutor> tools) {
    this.tools = Collections.unmodifiableMap(tools);
  }

  /** All tools. */
  public static SandboxToolProvider of(SandboxTools tools) {
    return of(tools, Arrays.asList(ToolName.values()));
  }

  /**
   * Some of the tools, in the order of {@link ToolName}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static SandboxToolProvider of(SandboxTools tools, Collection<ToolName> names) {
    Objects.requireNonNull(tools, "tools");
    Set<ToolName> wanted = Set.copyOf(names);
    if (wanted.isEmpty()) {
      throw new IllegalArgumentException("names: there is none; give one of ToolName or more");
    }
    Map<ToolSpecification, ToolExecutor> all = new LinkedHashMap<>();
    for (ToolDescription description : tools.descriptions()) {
      if (wanted.contains(description.tool())) {
        all.put(Specifications.of(description), new SandboxToolExecutor(tools, description.tool()));
      }
    }
    return new SandboxToolProvider(all);
  }

  /** The same as a map, for {@code AiServices.tools(Map)} and for loops of one's own. */
  public Map<ToolSpecification, ToolExecutor> tools() {
    return tools;
  }

  @Override
  public ToolProviderResult provideTools(ToolProviderRequest request) {
    return ToolProviderResult.builder().addAll(tools).build();
  }
}
