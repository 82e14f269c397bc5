package io.zett.sandbox.cases.outside;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What this JVM holds of its machine right now. */
public record Possessions(int descriptors, int threads, int children) {

  /** As it is now. */
  public static Possessions now() {
    return new Possessions(
        open(),
        count(Path.of("/proc/self/task")),
        Math.toIntExact(ProcessHandle.current().descendants().count()));
  }

  /**
   * Waits until no more is held than this, with a little room for what the JVM itself opens and
   * starts; its own threads and those that wait for work end after a while.
   */
  public void assertRegained() {
    Eventually.within(
        Duration.ofSeconds(60), () -> "as little as " + this + ", but " + now(), this::isBack);
  }

  private boolean isBack() {
    Possessions now = now();
    return now.descriptors <= descriptors + 10
        && now.threads <= threads + 10
        && now.children <= children;
  }

  /** Without the class path, which the JVM opens whenever it looks for what it has not met yet. */
  private static int open() {
    int count = 0;
    for (Path descriptor : entries(Path.of("/proc/self/fd"))) {
      try {
        count += Files.readSymbolicLink(descriptor).toString().endsWith(".jar") ? 0 : 1;
      } catch (IOException gone) {
        // Closed meanwhile, as that of the listing itself.
      }
    }
    return count;
  }

  private static int count(Path folder) {
    return entries(folder).size();
  }

  /** The entries of a folder, sorted. */
  public static List<Path> entries(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted(Comparator.naturalOrder()).toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
