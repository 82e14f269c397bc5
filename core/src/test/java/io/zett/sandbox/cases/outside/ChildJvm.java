package io.zett.sandbox.cases.outside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM with this class path, which runs a class's {@code main}; its error output goes to
 * ours.
 */
public final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader lines;

  private ChildJvm(Process process) {
    this.process = process;
    lines = process.inputReader(StandardCharsets.UTF_8);
  }

  /** What can be chosen about it. */
  public static final class Builder {
    private final Class<?> main;
    private final List<String> wrapper = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();

    private Builder(Class<?> main) {
      this.main = main;
    }

    /** Words before the {@code java} command. */
    public Builder wrapper(String... words) {
      wrapper.addAll(List.of(words));
      return this;
    }

    /** Options of the JVM. */
    public Builder options(String... words) {
      options.addAll(List.of(words));
      return this;
    }

    /** The folder for its temporary files. */
    public Builder temporary(Path folder) {
      return options("-Djava.io.tmpdir=" + folder);
    }

    /** A variable of its environment. */
    public Builder env(String name, String value) {
      environment.put(name, value);
      return this;
    }

    /** Starts it. */
    public ChildJvm start(String... arguments) {
      List<String> command = new ArrayList<>(wrapper);
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
      command.add("-XX:+UseSerialGC");
      command.addAll(options);
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
      command.addAll(List.of(arguments));
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.environment().putAll(environment);
      builder.redirectError(ProcessBuilder.Redirect.INHERIT);
      try {
        return new ChildJvm(builder.start());
      } catch (IOException e) {
        throw new AssertionError(command.toString(), e);
      }
    }
  }

  /** One that runs this class. */
  public static Builder of(Class<?> main) {
    return new Builder(main);
  }

  /** Gives it a line to read. */
  public void go() {
    try {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Its next line. */
  public String line() {
    try {
      String line = lines.readLine();
      assertThat(line).as("a line of the child; it ended instead").isNotNull();
      return line;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Its lines up to its end. */
  public List<String> lines() {
    return lines.lines().toList();
  }

  /** Its pid, unless a wrapper forks. */
  public long pid() {
    return process.pid();
  }

  /** Sends it a signal. */
  public void signal(String name) {
    Programs.run("kill", "-" + name, Long.toString(process.pid()));
  }

  /** Waits for its end; its exit status as a shell shows it. */
  public int await() {
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("the child ends").isTrue();
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Ends it if it is still there. */
  @Override
  public void close() {
    process.destroyForcibly();
    await();
  }
}
