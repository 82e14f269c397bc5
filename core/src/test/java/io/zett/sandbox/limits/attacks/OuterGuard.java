package io.zett.sandbox.limits.attacks;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.cases.outside.Programs;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.ResourceLimit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A bound around the whole JVM while a class of attacks runs, so that a limit that does not hold
 * costs a test and not the machine: a group of the test's own for root, RLIMIT_NPROC for a user, or
 * whatever the script that started the JVM put it into.
 */
public final class OuterGuard implements BeforeAllCallback, AfterAllCallback {
  /** Set by a script that bounded this JVM already. */
  private static final String GUARDED = "zett.test.guarded";

  private static final int NPROC = 6;
  private static final long MORE_TASKS = 1_200;
  private static final long MEMORY = 4L << 30;
  private static final Path TREES = Path.of("/sys/fs/cgroup");

  private final Deque<Runnable> undo = new ArrayDeque<>();

  @Override
  public void beforeAll(ExtensionContext context) {
    if (Boolean.getBoolean(GUARDED)) {
      return;
    }
    if (!Programs.isRoot()) {
      boundProcessesOfUser();
      return;
    }
    assumeTrue(
        Files.isWritable(TREES.resolve("pids")) && Files.isWritable(TREES.resolve("memory")),
        "root here cannot be bounded by a group of version 1: no attack without an outer guard");
    enter("pids", Map.of("pids.max", Long.toString(MORE_TASKS)));
    enter("memory", Map.of("memory.limit_in_bytes", Long.toString(MEMORY)));
  }

  private void boundProcessesOfUser() {
    Posix posix = Posix.system();
    ResourceLimit before = posix.getrlimit(0, NPROC);
    String tasks = Programs.run("sh", "-c", "ps -L -u \"$(id -u)\" -o lwp= | wc -l");
    long most = Long.parseLong(tasks.strip()) + MORE_TASKS;
    if (Long.compareUnsigned(before.soft(), most) > 0) {
      posix.setrlimit(0, NPROC, new ResourceLimit(most, before.hard()));
      undo.push(() -> posix.setrlimit(0, NPROC, before));
    }
  }

  /** Moves this JVM into a bounded group below its own, until the end. */
  private void enter(String tree, Map<String, String> bounds) {
    Path own = own(tree);
    Path group = own.resolve("guard-" + UUID.randomUUID());
    try {
      Files.createDirectory(group);
      undo.push(() -> remove(group));
      for (Map.Entry<String, String> bound : bounds.entrySet()) {
        Files.writeString(group.resolve(bound.getKey()), bound.getValue());
      }
      move(group);
      undo.push(() -> move(own));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path own(String tree) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
        String[] parts = line.split(":", 3);
        if (parts[1].equals(tree)) {
          return TREES.resolve(tree).resolve(parts[2].substring(1));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new IllegalStateException("no group in the tree " + tree);
  }

  private static void move(Path group) {
    try {
      String self = Long.toString(ProcessHandle.current().pid());
      Files.writeString(group.resolve("cgroup.procs"), self);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path group) {
    try {
      Files.delete(group);
    } catch (IOException e) {
      throw new UncheckedIOException("something of an attack was left behind", e);
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    undo.forEach(Runnable::run);
    undo.clear();
  }
}
