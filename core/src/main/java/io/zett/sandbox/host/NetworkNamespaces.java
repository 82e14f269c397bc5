package io.zett.sandbox.host;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.ProcessList;
import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The network namespaces of other processes: containers, and whatever began with {@code unshare}.
 *
 * <p>The table {@code /proc/PID/net/unix} is another file in each namespace, and anybody may look
 * which one it is, where {@code ns/net} itself is told to few. A new process is looked at when it
 * is first seen, again for a second, in which most enter a namespace if they ever do, and with all
 * others every ten seconds.
 *
 * <p>Sandboxes of this library are left out: what listens in one can be reached where another can
 * write, and two that work together need no socket for that. Not thread-safe.
 */
final class NetworkNamespaces implements AutoCloseable {

  private static final UnixPath PROC = UnixPath.ofText("/proc");
  private static final String TABLE = "/net/unix";
  private static final String SANDBOX = "/memfd:zett-init (deleted)";
  private static final long YOUNG_NANOS = 1_000_000_000L;
  private static final long ALL_NANOS = 10_000_000_000L;

  /** Enough for a thousand processes at once. */
  private static final int LIST_BYTES = 32 * 1024;

  private static final long GONE = 0;

  private final Posix posix;
  private int proc = -1;
  private long own;
  private int[] pids = {};

  // Of each of these processes; longer than their list. The spare ones take turns with them.
  private long[] numbers = {};
  private long[] firstSeen = {};
  private long[] spareNumbers = {};
  private long[] spareSeen = {};
  private long settled = System.nanoTime();
  private long lastOfAll;
  private boolean foundSandbox;
  private boolean closed;
  private final Set<Long> sandboxes = new HashSet<>();
  private @Nullable ProcessList processes;
  private List<Namespace> others = List.of();

  /**
   * A network namespace that is not this process's.
   *
   * @param number tells it from others that there are now
   * @param pids of the processes in it, ascending
   */
  record Namespace(long number, List<Integer> pids) {}

  NetworkNamespaces(Posix posix) {
    this.posix = posix;
  }

  /** Those there are now; the same list as before while none and no process in one has changed. */
  List<Namespace> others() {
    if (closed) {
      return others;
    }
    int[] now;
    try {
      now = list().pids();
    } catch (PosixException e) {
      e.throwIfShortage();
      return List.of(); // No /proc: then there is no sandbox either, and its own failure tells.
    }
    long time = System.nanoTime();
    boolean all = lastOfAll == 0 || time - lastOfAll >= ALL_NANOS;
    if (all || time - settled < 0 || !Arrays.equals(now, pids)) {
      lastOfAll = all ? time : lastOfAll;
      compare(now, time, all);
    }
    return others;
  }

  private ProcessList list() {
    ProcessList known = processes;
    if (known == null) {
      proc = posix.open(PROC, Constants.O_RDONLY | Constants.O_DIRECTORY, 0);
      own = number("self");
      known = new ProcessList(posix, proc, posix.getpid(), LIST_BYTES);
      processes = known;
    }
    return known;
  }

  private void compare(int[] now, long time, boolean all) {
    if (spareNumbers.length < now.length) {
      spareNumbers = new long[2 * now.length];
      spareSeen = new long[2 * now.length];
    }
    long[] numbersNow = spareNumbers;
    long[] seenNow = spareSeen;
    forgetSandboxesThatEnded(now);
    boolean changed = false;
    foundSandbox = false;
    int before = 0;
    for (int i = 0; i < now.length; i++) {
      for (; before < pids.length && pids[before] < now[i]; before++) {
        changed |= isOther(numbers[before]);
      }
      boolean known = before < pids.length && pids[before] == now[i];
      long was = known ? numbers[before] : GONE;
      seenNow[i] = known ? firstSeen[before] : time;
      boolean look = !known || all || time - firstSeen[before] < YOUNG_NANOS;
      numbersNow[i] = look ? look(now[i]) : was;
      if (numbersNow[i] != was) {
        changed |= isOther(numbersNow[i]) || isOther(was);
        seenNow[i] = time;
      }
      if (time - seenNow[i] < YOUNG_NANOS) {
        settled = Math.max(settled, seenNow[i] + YOUNG_NANOS);
      }
      before += known ? 1 : 0;
    }
    for (; before < pids.length; before++) {
      changed |= isOther(numbers[before]);
    }
    spareNumbers = numbers;
    spareSeen = firstSeen;
    pids = now;
    numbers = numbersNow;
    firstSeen = seenNow;
    List<Namespace> found = changed || foundSandbox ? grouped() : others;
    if (!found.equals(others)) {
      others = found;
    }
  }

  /** The kernel gives a number again when its namespace is gone. */
  private void forgetSandboxesThatEnded(int[] now) {
    if (sandboxes.isEmpty()) {
      return;
    }
    Set<Long> alive = new HashSet<>();
    for (int i = 0; i < pids.length; i++) {
      if (isOther(numbers[i])
          && sandboxes.contains(numbers[i])
          && Arrays.binarySearch(now, pids[i]) >= 0) {
        alive.add(numbers[i]);
      }
    }
    sandboxes.retainAll(alive);
  }

  private boolean isOther(long number) {
    return number != own && number != GONE;
  }

  private List<Namespace> grouped() {
    Map<Long, List<Integer>> members = new TreeMap<>();
    for (int i = 0; i < pids.length; i++) {
      if (isOther(numbers[i]) && !sandboxes.contains(numbers[i])) {
        members.computeIfAbsent(numbers[i], _ -> new ArrayList<>()).add(pids[i]);
      }
    }
    List<Namespace> found = new ArrayList<>();
    members.forEach((number, inIt) -> found.add(new Namespace(number, List.copyOf(inIt))));
    return List.copyOf(found);
  }

  private long look(int pid) {
    long number = number(Integer.toString(pid));
    if (isOther(number) && !sandboxes.contains(number) && isSandbox(pid)) {
      sandboxes.add(number);
      foundSandbox = true;
    }
    return number;
  }

  private boolean isSandbox(int pid) {
    try {
      byte[] exe = posix.readlinkat(proc, (pid + "/exe").getBytes(US_ASCII));
      return new String(exe, ISO_8859_1).equals(SANDBOX);
    } catch (PosixException e) {
      e.throwIfShortage();
      return false; // Another user's, or one that has ended.
    }
  }

  private long number(String process) {
    try {
      FileStatus status = posix.statat(proc, (process + TABLE).getBytes(US_ASCII), 0);
      return status == null ? GONE : status.ino();
    } catch (PosixException e) {
      e.throwIfShortage();
      return GONE;
    }
  }

  @Override
  public void close() {
    closed = true;
    if (proc >= 0) {
      posix.close(proc);
      proc = -1;
    }
  }
}
