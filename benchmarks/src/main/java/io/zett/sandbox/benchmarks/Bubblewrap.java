package io.zett.sandbox.benchmarks;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.engine.BubblewrapLaunch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * bubblewrap with what this library would give it for a policy, to be started by others. Its
 * arguments come from a descriptor, and so does its seccomp program, as in the library.
 */
final class Bubblewrap implements AutoCloseable {
  private final Settings settings;
  private final BubblewrapLaunch launch;
  private final Scratch scratch;
  private final Path arguments;
  private final Path seccomp;

  Bubblewrap(Settings settings, SandboxPolicy policy) throws IOException {
    this.settings = settings;
    this.launch = BubblewrapLaunch.of(policy);
    this.scratch = new Scratch();
    this.arguments = launch.writeArguments(scratch.path().resolve("arguments"));
    this.seccomp = launch.writeSeccomp(scratch.path().resolve("seccomp"));
  }

  /** How many mounts it makes. */
  long mounts() {
    return launch.mounts();
  }

  /** The credentials that are hidden here. */
  List<Path> credentials() {
    return launch.credentials();
  }

  /** Runs a program in a sandbox. */
  SpawnLoop.Builder running(List<String> program) {
    List<String> command = options();
    command.addAll(program);
    return spawned(command);
  }

  /** Runs a shell text in which {@code "$@"} stands for bubblewrap and its options. */
  SpawnLoop.Builder shell(String text) {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", text, "sh"));
    command.addAll(options());
    return spawned(command);
  }

  /**
   * A command line that can be started many times at once: all options are words, and there is no
   * seccomp program, since the position in it would be shared. Loading one takes no measurable
   * time.
   */
  List<String> commandLine(List<String> program) {
    List<String> command = new ArrayList<>(List.of(launch.program()));
    command.addAll(launch.optionsWithoutSeccomp());
    command.addAll(program);
    return command;
  }

  private List<String> options() {
    return new ArrayList<>(
        List.of(
            launch.program(), "--args", Integer.toString(BubblewrapLaunch.argumentsDescriptor())));
  }

  private SpawnLoop.Builder spawned(List<String> command) {
    return settings
        .spawnLoop(command)
        .descriptor(BubblewrapLaunch.argumentsDescriptor(), arguments)
        .descriptor(BubblewrapLaunch.seccompDescriptor(), seccomp);
  }

  @Override
  public void close() throws IOException {
    scratch.close();
    launch.close();
  }
}
