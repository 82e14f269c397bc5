package io.zett.sandbox.workspace;

import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayList;
import java.util.List;

/**
 * How a deletion ended.
 *
 * @param remaining what could not be removed, without the directories that are left only because of
 *     it; at most 1,000
 * @param removed number of names removed
 */
public record Deletion(List<Remaining> remaining, long removed) {

  /** A tree may hold any number of files that cannot be removed; a report need not. */
  static final int MOST_REPORTED = 1000;

  public Deletion {
    remaining = List.copyOf(remaining);
  }

  /** Whether nothing is left. */
  public boolean complete() {
    return remaining.isEmpty();
  }

  /** Collects while a deletion runs. */
  static final class Log {
    private final List<Remaining> remaining = new ArrayList<>();
    private long removed;

    void removed() {
      removed++;
    }

    void kept(UnixPath path, int errno) {
      if (remaining.size() < MOST_REPORTED) {
        remaining.add(new Remaining(path, errno));
      }
    }

    void add(Deletion part) {
      removed += part.removed();
      part.remaining().forEach(kept -> kept(kept.path(), kept.errno()));
    }

    boolean isEmpty() {
      return remaining.isEmpty();
    }

    int mark() {
      return remaining.size();
    }

    /** Forgets what was kept since, because it is looked at once more. */
    void forgetSince(int mark) {
      remaining.subList(mark, remaining.size()).clear();
    }

    Deletion end() {
      return new Deletion(remaining, removed);
    }
  }
}
