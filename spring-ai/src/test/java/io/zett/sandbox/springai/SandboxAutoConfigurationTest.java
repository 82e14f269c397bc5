package io.zett.sandbox.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.NetworkMode;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxClosedException;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.tools.RunRequest;
import io.zett.sandbox.tools.SandboxTools;
import io.zett.sandbox.tools.StartReport;
import io.zett.sandbox.tools.ToolName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.support.SpringFactoriesLoader;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SandboxAutoConfigurationTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class));

  @Test
  void anApplicationHasOneSandboxAndItsTools() {
    runner.run(
        context -> {
          assertThat(context).hasSingleBean(SandboxSession.class).hasSingleBean(SandboxTools.class);
          assertThat(context.getBean(SandboxSession.class).policy())
              .isEqualTo(SandboxPolicy.builder().build());
          assertThat(context.getBean(ToolCallbackProvider.class).getToolCallbacks())
              .hasSameSizeAs(ToolName.values());
        });
  }

  @Test
  void theContextClosesItAndLeavesNothing() throws Exception {
    String mark = "mark-" + UUID.randomUUID();
    AtomicReference<SandboxSession> session = new AtomicReference<>();
    AtomicReference<Path> workspace = new AtomicReference<>();
    runner.run(
        context -> {
          session.set(context.getBean(SandboxSession.class));
          workspace.set(session.get().workspace());
          SandboxTools tools = context.getBean(SandboxTools.class);
          StartReport started =
              tools.start(RunRequest.shell(": " + mark + "; echo up; setsid sleep 1000; true"));
          assertThat(tools.readOutput(started.id(), null, null, 30.0).part().text())
              .isEqualTo("up\n");
          assertThat(Host.runs(mark)).isTrue();
        });
    assertThat(session.get().isOpen()).isFalse();
    assertThat(Host.runs(mark)).isFalse();
    assertThat(workspace.get()).doesNotExist();
  }

  @Test
  void everyOptionIsAProperty(@TempDir Path folder) throws Exception {
    Path workspace = Files.createDirectory(folder.resolve("workspace"));
    Path other = Files.createDirectory(folder.resolve("other"));
    runner
        .withPropertyValues(
            "zett.sandbox.workspace=" + workspace,
            "zett.sandbox.memory=512MB",
            "zett.sandbox.cpus=1.5",
            "zett.sandbox.cpu-seconds=60",
            "zett.sandbox.processes=100",
            "zett.sandbox.max-file-size=10MiB",
            "zett.sandbox.open-files=256",
            "zett.sandbox.scratch-size=20MiB",
            "zett.sandbox.network=true",
            "zett.sandbox.block-unix-sockets=true",
            "zett.sandbox.protect-developer-files=true",
            "zett.sandbox.writable[0]=" + other,
            "zett.sandbox.deny-write=" + workspace.resolve("a") + "," + workspace.resolve("b"),
            "zett.sandbox.deny-read=" + workspace.resolve("c"),
            "zett.sandbox.allow-read=/etc/hostname",
            "zett.sandbox.env.CI=secret",
            "zett.sandbox.env[build.number]=7",
            "zett.sandbox.home=private",
            "zett.sandbox.timeout=90",
            "zett.sandbox.backend=bubblewrap",
            "zett.sandbox.require-isolation=true",
            "zett.sandbox.memory-strategy=watchdog",
            "zett.sandbox.max-concurrent=3",
            "zett.sandbox.warm=1",
            "zett.sandbox.tools.include=run_command,read-file",
            "zett.sandbox.tools.tail-characters=200",
            "zett.sandbox.tools.kept-bytes=2000",
            "zett.sandbox.tools.kept-commands=2",
            "zett.sandbox.tools.max-background=1",
            "zett.sandbox.tools.default-timeout=20s",
            "zett.sandbox.tools.max-timeout=1m")
        .run(
            context -> {
              SandboxSession session = context.getBean(SandboxSession.class);
              assertThat(session.workspace()).isEqualTo(workspace.toRealPath());
              assertThat(session.policy())
                  .isEqualTo(
                      SandboxPolicy.builder()
                          .memory("512MB")
                          .cpus(1.5)
                          .cpuSeconds(60)
                          .processes(100)
                          .maxFileSize("10MiB")
                          .openFiles(256)
                          .scratchSize("20MiB")
                          .network(NetworkMode.UNRESTRICTED)
                          .blockUnixSockets(true)
                          .protectDeveloperFiles()
                          .writable(other)
                          .denyWrite(workspace.resolve("a"), workspace.resolve("b"))
                          .denyRead(workspace.resolve("c"))
                          .allowRead(Path.of("/etc/hostname"))
                          .env(Map.of("CI", "secret", "build.number", "7"))
                          .home(HomeMode.PRIVATE)
                          .timeout(Duration.ofSeconds(90))
                          .backend(SandboxBackend.BUBBLEWRAP)
                          .requireIsolation(true)
                          .memoryStrategy(MemoryStrategy.WATCHDOG)
                          .maxConcurrent(3)
                          .warm(1)
                          .build());
              assertThat(context.getBean(SandboxToolCallbackProvider.class).getToolCallbacks())
                  .extracting(tool -> tool.getToolDefinition().name())
                  .containsExactly("run_command", "read_file");
              assertThat(context.getBean(SandboxTools.class).description(ToolName.RUN_COMMAND))
                  .satisfies(
                      run ->
                          assertThat(run.description())
                              .contains("last 200 characters", "after 20 seconds"));
              assertThat(
                      context
                          .getBean(SandboxTools.class)
                          .description(ToolName.READ_OUTPUT)
                          .description())
                  .contains("2000 bytes", "the last 2");
              assertThat(context.getBean(SandboxTools.class).description(ToolName.START_COMMAND))
                  .satisfies(start -> assertThat(start.description()).contains("At most 1 "));
              assertThat(context.getBean(SandboxProperties.class).toString())
                  .contains("CI")
                  .doesNotContain("secret");
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "memory|512|memory: ",
        "memory|much|memory: ",
        "cpus|0|cpus: ",
        "processes|1|processes: ",
        "open-files|1|openFiles: ",
        "max-file-size|-1|maxFileSize: ",
        "scratch-size|x|scratchSize: ",
        "cpu-seconds|0|cpuSeconds: ",
        "timeout|0|timeout: ",
        "workspace|/|workspace: ",
        "workspace|~/project|workspace: ",
        "workspace|/no/such/place|workspace: ",
        "workspace|example|workspace: ", // A folder of the class path, not of the current
        // directory.
        "writable|/no/such/place|writable: ",
        "max-concurrent|0|maxConcurrent: ",
        "warm|-1|warm: ",
        "tools.tail-characters|1|tailCharacters: ",
        "tools.max-timeout|0|maxTimeout: ",
      })
  void aValueThatCannotBeNamesThePropertyAndTheMend(String name, String value, String reason) {
    runner
        .withPropertyValues("zett.sandbox." + name + "=" + value)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .isInstanceOfSatisfying(
                        InvalidConfigurationPropertyValueException.class,
                        e -> {
                          assertThat(e.getName()).isEqualTo("zett.sandbox." + name);
                          assertThat(e.getReason()).startsWith(reason);
                        }));
  }

  @Test
  void aPropertyThatIsUnknownOrOfNoChoiceIsAnError() {
    runner
        .withPropertyValues("zett.sandbox.deny-raed=/home")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("deny-raed"));
    runner
        .withPropertyValues("zett.sandbox.home=none")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("zett.sandbox.home")
                    .hasStackTraceContaining("HomeMode"));
    runner
        .withPropertyValues("zett.sandbox.env.TOKEN=SEC\0RET")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("zett.sandbox.env")
                    .message()
                    .doesNotContain("SEC", "RET"));
  }

  @Test
  void aMachineWithoutASandboxIsToldHowToMendIt() {
    var e = new SandboxUnavailableException("there is no bwrap", "install bubblewrap");
    FailureAnalysis analysis =
        SpringFactoriesLoader.forDefaultResourceLocation()
            .load(FailureAnalyzer.class, (_, _, _) -> {})
            .stream()
            .filter(SandboxFailureAnalyzer.class::isInstance)
            .findFirst()
            .orElseThrow()
            .analyze(new IllegalStateException("no bean", e));
    assertThat(analysis.getDescription()).contains("there is no bwrap");
    assertThat(analysis.getAction()).isEqualTo("install bubblewrap");
  }

  @Test
  void nothingIsMadeWhenItIsOffOrSpringAiIsNotThere() {
    runner
        .withPropertyValues("zett.sandbox.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(SandboxSession.class));
    runner
        .withClassLoader(new FilteredClassLoader("org.springframework.ai"))
        .run(context -> assertThat(context).doesNotHaveBean(SandboxSession.class));
  }

  @Configuration(proxyBeanMethods = false)
  static class Customized {
    @Bean
    SandboxCustomizer memory() {
      return session -> session.memory("64MB").env("FROM", "application");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Own {
    @Bean
    SandboxSession session() {
      return SandboxSession.builder().processes(50).open();
    }
  }

  @Test
  void anApplicationChangesTheSessionOrBringsItsOwn() {
    runner
        .withUserConfiguration(Customized.class)
        .withPropertyValues("zett.sandbox.memory=1GiB", "zett.sandbox.cpu-seconds=9")
        .run(
            context -> {
              SandboxPolicy policy = context.getBean(SandboxSession.class).policy();
              assertThat(policy.memory()).hasValue(64_000_000);
              assertThat(policy.cpuSeconds()).hasValue(9);
              assertThat(context.getBean(SandboxTools.class).run(RunRequest.shell("echo $FROM")))
                  .satisfies(
                      report -> assertThat(report.stdout().text()).isEqualTo("application\n"));
            });
    AtomicReference<SandboxTools> tools = new AtomicReference<>();
    runner
        .withUserConfiguration(Own.class)
        .run(
            context -> {
              assertThat(context).hasSingleBean(SandboxSession.class);
              tools.set(context.getBean(SandboxTools.class));
              assertThat(tools.get().session().policy().processes()).hasValue(50);
            });
    assertThatExceptionOfType(SandboxClosedException.class)
        .isThrownBy(() -> tools.get().session().workspace());
  }

  @Test
  void everyPropertyIsDescribedForEditors() throws Exception {
    JsonNode metadata;
    try (var in =
        SandboxProperties.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      metadata = JsonMapper.shared().readTree(in);
    }
    List<String> described =
        metadata
            .get("properties")
            .valueStream()
            .filter(property -> !property.path("description").asString("").isBlank())
            .map(property -> property.get("name").asString().replace("-", ""))
            .toList();
    List<String> wanted =
        Stream.concat(
                Arrays.stream(SandboxProperties.class.getRecordComponents())
                    .filter(one -> one.getType() != SandboxProperties.Tools.class)
                    .map(one -> "zett.sandbox." + one.getName()),
                Arrays.stream(SandboxProperties.Tools.class.getRecordComponents())
                    .map(one -> "zett.sandbox.tools." + one.getName()))
            .map(name -> name.toLowerCase(Locale.ROOT))
            .toList();
    assertThat(described).containsExactlyInAnyOrderElementsOf(wanted);
  }
}
