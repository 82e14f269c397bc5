package io.zett.sandbox.host;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is mounted where for other processes: {@code /proc/PID/mountinfo}, which anybody may read.
 * Many processes share one table, which is then understood once. Not thread-safe.
 */
final class ForeignMounts {

  private final Posix posix;
  private final KernelTable reader;
  private final Set<Integer> read = new HashSet<>();
  private final Map<ByteBuffer, MountMap> known = new HashMap<>();

  ForeignMounts(Posix posix) {
    this.posix = posix;
    this.reader = new KernelTable(posix);
  }

  /** The table of one process; empty when it has ended. */
  MountMap of(int pid) {
    ByteBuffer text;
    try {
      text = reader.read(UnixPath.ofText("/proc/" + pid + "/mountinfo"));
    } catch (PosixException e) {
      e.throwIfShortage();
      return MountMap.NONE;
    }
    MountMap map = known.get(text);
    if (map == null) {
      byte[] bytes = new byte[text.remaining()];
      text.get(text.position(), bytes);
      map = new MountMap(MountTable.parse(bytes));
      known.put(ByteBuffer.wrap(bytes), map);
    }
    return map;
  }

  /** Adds the tables of processes that it has not read yet; whether there was a new one. */
  boolean add(List<Integer> pids) {
    int before = known.size();
    for (int pid : pids) {
      if (read.add(pid)) {
        of(pid);
      }
    }
    return known.size() > before;
  }

  /** Where a path of any of the tables is, in the terms of another one. */
  List<String> translate(String path, MountMap own) {
    Set<String> paths = new LinkedHashSet<>();
    known.values().forEach(other -> paths.addAll(own.translate(other, path)));
    return new ArrayList<>(paths);
  }
}
