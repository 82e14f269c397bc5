package io.zett.sandbox.faults;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts calls by name and the files that are open at once. Of calls that throw, only how many did
 * is kept. Not thread-safe.
 */
public final class CallCounter implements InterposedPosix.Interposer {

  private final Map<String, Integer> calls = new TreeMap<>();
  private int open;
  private int mostOpen;

  /** A system whose calls are counted here. */
  public Posix over(Posix system) {
    return InterposedPosix.over(system, this);
  }

  @Override
  public @Nullable Object on(PosixCall call) {
    Object result;
    try {
      result = call.proceed();
    } catch (PosixException e) {
      calls.merge(call.name() + " failed", 1, Integer::sum);
      throw e;
    }
    calls.merge(call.name(), 1, Integer::sum);
    switch (call.name()) {
      case "open", "openat", "openat2" -> open++;
      case "close" -> open--;
      default -> {}
    }
    mostOpen = Math.max(mostOpen, open);
    return result;
  }

  /** How often a call was made. */
  public int count(String name) {
    return calls.getOrDefault(name, 0);
  }

  /** How many calls were made. */
  public int total() {
    return calls.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Descriptors of files that are open now. */
  public int open() {
    return open;
  }

  /** The most that were open at once. */
  public int mostOpen() {
    return mostOpen;
  }

  @Override
  public String toString() {
    return calls.toString();
  }
}
