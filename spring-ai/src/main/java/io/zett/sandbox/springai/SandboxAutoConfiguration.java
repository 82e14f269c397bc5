package io.zett.sandbox.springai;

import static io.zett.sandbox.springai.PropertyErrors.set;
import static io.zett.sandbox.springai.PropertyErrors.setSecret;

import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.tools.SandboxTools;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * One sandbox for the application: a {@link SandboxSession} that is opened with the context and
 * closed with it, {@link SandboxTools} over it, and a {@link SandboxToolCallbackProvider}. A bean
 * of the application's own takes the place of each. Nothing is made when {@code
 * zett.sandbox.enabled} is false; no tool is given to a model unless the application does so.
 */
@AutoConfiguration
@ConditionalOnClass(ToolCallbackProvider.class)
@ConditionalOnBooleanProperty(name = "zett.sandbox.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SandboxProperties.class)
public final class SandboxAutoConfiguration {

  /** For Spring. */
  public SandboxAutoConfiguration() {}

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  SandboxSession zettSandboxSession(
      SandboxProperties properties, ObjectProvider<SandboxCustomizer> customizers) {
    SandboxSession.Builder builder = builder(properties);
    customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    try {
      return builder.open();
    } catch (IllegalArgumentException e) {
      throw PropertyErrors.atOpening(e, properties);
    }
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  SandboxTools zettSandboxTools(SandboxSession session, SandboxProperties properties) {
    SandboxProperties.Tools given = properties.tools();
    SandboxTools.Builder tools = SandboxTools.builder(session);
    set("tools.tail-characters", given.tailCharacters(), tools::tailCharacters);
    set("tools.kept-bytes", given.keptBytes(), tools::keptBytes);
    set("tools.kept-commands", given.keptCommands(), tools::keptCommands);
    set("tools.max-background", given.maxBackground(), tools::maxBackground);
    set("tools.default-timeout", given.defaultTimeout(), tools::defaultTimeout);
    set("tools.max-timeout", given.maxTimeout(), tools::maxTimeout);
    return tools.build();
  }

  @Bean
  @ConditionalOnMissingBean
  SandboxToolCallbackProvider zettSandboxToolCallbackProvider(
      SandboxTools tools, SandboxProperties properties) {
    return properties.tools().include().isEmpty()
        ? SandboxToolCallbackProvider.of(tools)
        : SandboxToolCallbackProvider.of(tools, properties.tools().include());
  }

  private static SandboxSession.Builder builder(SandboxProperties given) {
    SandboxSession.Builder builder = SandboxSession.builder();
    set("workspace", given.workspace(), path -> builder.workspace(path("workspace", path)));
    set("memory", given.memory(), builder::memory);
    set("cpus", given.cpus(), builder::cpus);
    set("cpu-seconds", given.cpuSeconds(), builder::cpuSeconds);
    set("processes", given.processes(), builder::processes);
    set("max-file-size", given.maxFileSize(), builder::maxFileSize);
    set("open-files", given.openFiles(), builder::openFiles);
    set("scratch-size", given.scratchSize(), builder::scratchSize);
    builder.network(given.network());
    builder.blockUnixSockets(given.blockUnixSockets());
    builder.protectDeveloperFiles(given.protectDeveloperFiles());
    paths("writable", given.writable(), builder::writable);
    paths("deny-write", given.denyWrite(), builder::denyWrite);
    paths("deny-read", given.denyRead(), builder::denyRead);
    paths("allow-read", given.allowRead(), builder::allowRead);
    setSecret("env", given.env(), builder::env);
    builder.home(given.home());
    set("timeout", given.timeout(), builder::timeout);
    builder.backend(given.backend());
    builder.requireIsolation(given.requireIsolation());
    builder.memoryStrategy(given.memoryStrategy());
    set("max-concurrent", given.maxConcurrent(), builder::maxConcurrent);
    set("warm", given.warm(), builder::warm);
    return builder;
  }

  private static void paths(
      String property, List<String> given, Consumer<Collection<Path>> option) {
    set(
        property,
        given,
        texts -> option.accept(texts.stream().map(text -> path(property, text)).toList()));
  }

  /**
   * Made here: Spring's own conversion takes a relative path for one of the class path where a
   * resource has its name.
   */
  private static Path path(String property, String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(property + ": " + e.getMessage(), e);
    }
  }
}
