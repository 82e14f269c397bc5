package io.zett.sandbox.batch;

import io.zett.sandbox.SandboxCommand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A program to be run in a private workspace of its own, with the files it is given, and what is
 * wanted of it afterwards. Time limit, input, variables, directory and the output's cap are those
 * of its {@link SandboxCommand}. Immutable.
 */
public final class Job {
  private final String id;
  private final SandboxCommand command;
  private final Map<String, byte[]> files;
  private final OptionalLong memory;
  private final OptionalLong cpuSeconds;
  private final List<String> collected;

  private Job(
      String id,
      SandboxCommand command,
      Map<String, byte[]> files,
      OptionalLong memory,
      OptionalLong cpuSeconds,
      List<String> collected) {
    this.id = id;
    this.command = command;
    this.files = files;
    this.memory = memory;
    this.cpuSeconds = cpuSeconds;
    this.collected = collected;
  }

  /**
   * A job without files.
   *
   * @param id tells it from the others of its batch
   * @param command not {@link SandboxCommand#checked()}: what it comes to is a result anyway
   * @throws IllegalArgumentException if the id is empty or the command is checked
   */
  public static Job of(String id, SandboxCommand command) {
    if (id.isEmpty()) {
      throw new IllegalArgumentException("id: is empty; each job has one of its own");
    }
    if (command.isChecked()) {
      throw new IllegalArgumentException(
          "job "
              + id
              + ": its command is checked, but a job's failure is a result; leave checked() out");
    }
    return new Job(id, command, Map.of(), OptionalLong.empty(), OptionalLong.empty(), List.of());
  }

  /**
   * With one more file in the workspace.
   *
   * @param path relative to the workspace
   * @param content copied
   * @throws IllegalArgumentException if the path is empty, absolute, or leads out of the workspace
   */
  public Job file(String path, byte[] content) {
    Map<String, byte[]> more = new LinkedHashMap<>(files);
    more.put(checked("files", path), content.clone());
    return new Job(id, command, more, memory, cpuSeconds, collected);
  }

  /**
   * With a memory limit of its own, in place of the batch's.
   *
   * @param bytes as {@link io.zett.sandbox.SandboxPolicy.Builder#memory(long)} takes them
   */
  public Job memory(long bytes) {
    return new Job(id, command, files, OptionalLong.of(bytes), cpuSeconds, collected);
  }

  /**
   * With a limit of processor time of its own, in place of the batch's.
   *
   * @param seconds as {@link io.zett.sandbox.SandboxPolicy.Builder#cpuSeconds(long)} takes them
   */
  public Job cpuSeconds(long seconds) {
    return new Job(id, command, files, memory, OptionalLong.of(seconds), collected);
  }

  /**
   * With one more file of the workspace that is wanted when it has ended.
   *
   * @param path relative to the workspace
   * @throws IllegalArgumentException if the path is empty, absolute, or leads out of the workspace
   */
  public Job collect(String path) {
    List<String> more = new ArrayList<>(collected);
    more.add(checked("collect", path));
    return new Job(id, command, files, memory, cpuSeconds, List.copyOf(more));
  }

  private static String checked(String what, String path) {
    Objects.requireNonNull(path, what);
    boolean absolute = path.startsWith("/");
    if (path.isEmpty() || absolute || path.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          what + ": \"" + path + "\" is no path in the workspace; for instance src/main.py");
    }
    int depth = 0;
    for (String name : path.split("/", -1)) {
      depth += name.equals("..") ? -1 : name.isEmpty() || name.equals(".") ? 0 : 1;
      if (depth < 0) {
        throw new IllegalArgumentException(
            what + ": \"" + path + "\" leads out of the workspace; for instance src/main.py");
      }
    }
    return path;
  }

  /** What tells it from the others of its batch. */
  public String id() {
    return id;
  }

  /** What it runs. */
  public SandboxCommand command() {
    return command;
  }

  /** The paths of its files, in the order in which they were given. */
  public Set<String> files() {
    return Collections.unmodifiableSet(files.keySet());
  }

  /**
   * The bytes of one of its files; a new array each time.
   *
   * @throws IllegalArgumentException if it has no such file
   */
  public byte[] content(String path) {
    byte[] content = files.get(path);
    if (content == null) {
      throw new IllegalArgumentException("job " + id + " has no file \"" + path + "\"");
    }
    return content.clone();
  }

  /** The files with their bytes, which are the job's own and must not change. */
  Map<String, byte[]> contents() {
    return files;
  }

  /** Its memory limit in bytes; empty for the batch's. */
  public OptionalLong memory() {
    return memory;
  }

  /** Its limit of processor time; empty for the batch's. */
  public OptionalLong cpuSeconds() {
    return cpuSeconds;
  }

  /** The paths of the files that are wanted afterwards. */
  public List<String> collected() {
    return collected;
  }

  /** Its id, and its command without values. */
  @Override
  public String toString() {
    return "Job[" + id + ", " + command + "]";
  }
}
