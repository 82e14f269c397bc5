package io.zett.sandbox.limits.attacks;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Sleepers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What can be seen of a session's commands while they run: their groups from outside, their
 * resource limits and mounts from inside.
 *
 * @param groups for each controller that counts the command in a group of its own: the mechanism
 * @param directories the groups, by controller
 * @param limits {@code /proc/PID/limits}
 * @param mounts {@code /proc/PID/mountinfo}
 */
record Placement(
    Map<String, String> groups, Map<String, Path> directories, String limits, String mounts) {
  private static final Pattern OURS = Pattern.compile("/zett-[0-9a-f]{12}/");
  private static final Path TREES = Path.of("/sys/fs/cgroup");

  /** A file that a group of version 2 has if this controller counts it. */
  private static final Map<String, String> FILES =
      Map.of("memory", "memory.max", "pids", "pids.max", "cpu", "cpu.max", "cpuacct", "cpu.stat");

  /** Of a command of this session. */
  static Placement in(SandboxSession session) {
    SandboxResult inside = session.run("cat /proc/self/limits; echo; cat /proc/self/mountinfo");
    int end = inside.stdout().indexOf("\n\n");
    Map<String, String> groups = new HashMap<>();
    Map<String, Path> directories = new HashMap<>();
    Sleepers sleepers = new Sleepers();
    CompletableFuture<?> running =
        session.runAsync(SandboxCommand.of("sleep", sleepers.argument()));
    try {
      sleepers.awaitFirst();
      look(sleepers.alive().getFirst(), groups, directories);
    } finally {
      running.cancel(true);
    }
    sleepers.assertNoneSoon();
    return new Placement(
        groups, directories, inside.stdout().substring(0, end), inside.stdout().substring(end));
  }

  /** The groups that a process is in, by controller. */
  static Map<String, Path> directories(long pid) {
    Map<String, Path> directories = new HashMap<>();
    look(pid, new HashMap<>(), directories);
    return directories;
  }

  /** The groups of sessions that a process is in, and that each command of theirs is below. */
  static Set<Path> sessionGroups(long pid) {
    return directories(pid).values().stream().map(Path::getParent).collect(Collectors.toSet());
  }

  /** The groups of this session. */
  static Set<Path> sessionGroups(SandboxSession session) {
    return in(session).directories().values().stream()
        .map(Path::getParent)
        .collect(Collectors.toSet());
  }

  private static void look(long pid, Map<String, String> groups, Map<String, Path> directories) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "cgroup"))) {
        String[] parts = line.split(":", 3);
        if (OURS.matcher(parts[2] + "/").find()) {
          note(parts[1], parts[2].substring(1), groups, directories);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void note(
      String controllers, String group, Map<String, String> groups, Map<String, Path> directories) {
    if (!controllers.isEmpty()) {
      for (String controller : controllers.split(",")) {
        groups.put(controller, "cgroup v1");
        directories.put(controller, TREES.resolve(controllers).resolve(group));
      }
      return;
    }
    Path unified = Files.isDirectory(TREES.resolve("unified")) ? TREES.resolve("unified") : TREES;
    FILES.forEach(
        (controller, file) -> {
          if (Files.exists(unified.resolve(group).resolve(file))) {
            groups.putIfAbsent(controller, "cgroup v2");
            directories.putIfAbsent(controller, unified.resolve(group));
          }
        });
  }

  /** The kind of group that this controller counts the command in by itself; "" for none. */
  String group(String controller) {
    return groups.getOrDefault(controller, "");
  }

  /** The soft limit in a line of {@code /proc/PID/limits}. */
  String limit(String name) {
    Matcher matcher = Pattern.compile("(?m)^" + name + " +(\\S+)").matcher(limits);
    if (!matcher.find()) {
      throw new AssertionError(name + ": " + limits);
    }
    return matcher.group(1);
  }
}
