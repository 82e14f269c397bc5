package io.zett.sandbox.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.batch.Job;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobSpecTest {
  private static final Job BARE = Job.of("bare", SandboxCommand.of("true"));

  private static final SandboxCommand SETTINGS =
      SandboxCommand.shell("exit 3")
          .cwd(Path.of("sub"))
          .env("NAME", "hunter2")
          .input("typed")
          .timeout(Duration.ofMillis(1500))
          .maxOutputBytes(8)
          .mergeStderr()
          .terminal(30, 90);

  private static final Job EVERYTHING =
      Job.of("everything", SETTINGS)
          .file("b/c", new byte[] {1, 2})
          .file("a", "text".getBytes(StandardCharsets.UTF_8))
          .memory(64 << 20)
          .cpuSeconds(9)
          .collect("out")
          .collect("b/c");

  private static List<Method> told(Class<?> type) {
    List<String> others = List.of("hashCode", "toString", "isChecked", "timeoutDisabled");
    return Stream.of(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> method.getParameterCount() == 0)
        .filter(method -> !type.isAssignableFrom(method.getReturnType()))
        .filter(method -> !others.contains(method.getName()))
        .toList();
  }

  /** A new setting fails here until it is above, and below until it travels. */
  @Test
  void everySettingIsTried() throws ReflectiveOperationException {
    assertThat(told(SandboxCommand.class)).hasSizeGreaterThan(8);
    for (Method setting : told(SandboxCommand.class)) {
      assertThat(setting.invoke(SETTINGS))
          .as(setting.getName())
          .isNotEqualTo(setting.invoke(BARE.command()));
    }
    assertThat(told(Job.class)).hasSize(6);
    for (Method setting : told(Job.class)) {
      assertThat(setting.invoke(EVERYTHING))
          .as(setting.getName())
          .isNotEqualTo(setting.invoke(BARE));
    }
  }

  @Test
  void everySettingTravels() throws Exception {
    Job endless = Job.of("endless", SandboxCommand.of("a", "b", "c d").noTimeout());
    Job binary = Job.of("binary", SandboxCommand.of("cat").input(new byte[] {-1, 0, 1}));
    for (Job job : List.of(BARE, EVERYTHING, endless, binary)) {
      JobSpec spec = JobSpec.of(job);
      assertSame(Travelled.byJava(spec, JobSpec.class).job(), job);
      assertSame(Travelled.byKryo(spec, JobSpec.class).job(), job);
    }
  }

  private static void assertSame(Job actual, Job job) throws ReflectiveOperationException {
    for (Method setting : told(Job.class)) {
      assertThat(setting.invoke(actual)).as(setting.getName()).isEqualTo(setting.invoke(job));
    }
    for (String path : job.files()) {
      assertThat(actual.content(path)).isEqualTo(job.content(path));
    }
  }

  @Test
  void anInputOfThisMachineIsRefused() {
    for (SandboxCommand command :
        List.of(
            SandboxCommand.of("cat").input(InputStream.nullInputStream()),
            SandboxCommand.of("cat").input(Path.of("file")))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> JobSpec.of(Job.of("job", command)))
          .withMessageContaining("job job: its input");
    }
  }

  @Test
  void itsTextShowsNoValue() {
    assertThat(JobSpec.of(EVERYTHING).toString())
        .contains("everything", "NAME")
        .doesNotContain("hunter2", "exit 3", "typed");
  }
}
