package io.zett.sandbox.faults;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.Received;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keeps account of what the library takes of the kernel and has to give back: descriptors and
 * children, by where they come from, and the directories it makes by their absolute paths, but for
 * the folder of locks, which stays. It also notes what is given back that was not held: such a
 * close would hit whoever has been given the number since. Thread-safe.
 */
public final class Ledger implements InterposedPosix.Interposer {

  private final Map<Integer, String> descriptors = new TreeMap<>();
  private final Map<Integer, String> children = new TreeMap<>();
  private final Set<String> directories = new TreeSet<>();
  private final Set<Integer> forgotten = new TreeSet<>();
  private final Set<String> strayCloses = new TreeSet<>();

  @Override
  public @Nullable Object on(PosixCall call) {
    if (call.name().equals("close")) {
      synchronized (this) {
        // Before the number is somebody else's.
        int fd = (int) call.argument(0);
        if (descriptors.remove(fd) == null && !forgotten.remove(fd)) {
          strayCloses.add(CallSite.here(call).toString());
        }
      }
      return call.proceed();
    }
    Object result = call.proceed();
    note(call, result);
    return result;
  }

  private synchronized void note(PosixCall call, @Nullable Object result) {
    switch (call.name()) {
      case "open",
          "openat",
          "openat2",
          "dup",
          "epollCreate",
          "eventfd",
          "inotifyInit",
          "memfdCreate",
          "pidfdOpen",
          "pidfdGetfd",
          "socket",
          "boundFile" ->
          take(call, result);
      case "fcntl" -> {
        if ((int) call.argument(1) == Constants.F_DUPFD_CLOEXEC) {
          take(call, result);
        }
      }
      case "pipe2", "socketpair" -> {
        for (int fd : result instanceof int[] pair ? pair : new int[0]) {
          take(call, fd);
        }
      }
      case "receiveWithCredentials" -> {
        if (result instanceof Received received && received.descriptor() >= 0) {
          take(call, received.descriptor());
        }
      }
      case "spawn" -> {
        if (result instanceof Integer pid) {
          children.put(pid, CallSite.here(call).toString());
        }
      }
      case "wait4" -> {
        if (result != null) {
          children.remove((Integer) call.argument(0));
        }
      }
      case "mkdirat" -> {
        String path = new String((byte[]) call.argument(1), StandardCharsets.UTF_8);
        if (path.startsWith("/") && !path.contains("/.zett-locks-")) {
          directories.add(path);
        }
      }
      default -> {}
    }
  }

  private void take(PosixCall call, @Nullable Object fd) {
    if (fd instanceof Integer number) {
      forgotten.remove(number);
      descriptors.put(number, CallSite.here(call).toString());
    }
  }

  /** Begins a new account. */
  public synchronized void forget() {
    forgotten.addAll(descriptors.keySet());
    descriptors.clear();
    strayCloses.clear();
    children.clear();
    directories.clear();
  }

  /** Descriptors that are open, and who opened them. */
  public synchronized Map<Integer, String> descriptors() {
    return new TreeMap<>(descriptors);
  }

  /** Where something was closed that was not open. */
  public synchronized Set<String> strayCloses() {
    return new TreeSet<>(strayCloses);
  }

  /** Children that nobody has waited for, and who started them. */
  public synchronized Map<Integer, String> children() {
    return new TreeMap<>(children);
  }

  /** Directories that were made and are there now. */
  public synchronized Set<UnixPath> directories(Posix system) {
    directories.removeIf(path -> system.lstat(UnixPath.ofText(path)) == null);
    Set<UnixPath> left = new LinkedHashSet<>();
    directories.forEach(path -> left.add(UnixPath.ofText(path)));
    return left;
  }
}
