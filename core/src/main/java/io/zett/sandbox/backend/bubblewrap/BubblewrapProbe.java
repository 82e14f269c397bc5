package io.zett.sandbox.backend.bubblewrap;

import io.zett.sandbox.host.LauncherSearch;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds out whether bubblewrap works here by starting a sandbox with all that every launch needs;
 * when it does not, what its words mean and how to mend it.
 */
public final class BubblewrapProbe {

  private static final String NEEDED = "0.8.0";
  private static final Pattern VERSION = Pattern.compile("bubblewrap (\\d+)\\.(\\d+)\\.?(\\d*)");

  private BubblewrapProbe() {}

  /** What was found. */
  public sealed interface Finding {}

  /**
   * It works.
   *
   * @param launcher the trusted path
   * @param version as it calls itself
   */
  public record Usable(UnixPath launcher, String version) implements Finding {}

  /**
   * It does not.
   *
   * @param problem what is wrong, a sentence without a full stop
   * @param fix how to mend it, likewise
   */
  public record Unusable(String problem, String fix) implements Finding {}

  /** Probes the launcher that a search has found. */
  public static Finding probe(LauncherSearch search, Machine machine, ProgramRunner runner) {
    if (search.found().isEmpty()) {
      return missing(search, machine);
    }
    UnixPath launcher = search.found().orElseThrow();
    ProgramRunner.Finished finished;
    try {
      finished = runner.run(launcher, arguments(launcher));
    } catch (PosixException e) {
      boolean descriptors =
          e.errno() == Errno.EMFILE || (e.errno() == Errno.EINVAL && e.call().equals("fcntl"));
      if (descriptors) {
        return new Unusable(
            "this process may open too few files to start bubblewrap (" + e.getMessage() + ")",
            "raise its limit of open files, for instance: ulimit -n 1024");
      }
      if (e.isShortage() || e.errno() == Errno.EAGAIN) {
        throw e; // it says nothing about bubblewrap
      }
      if (e.errno() == Errno.ENOSYS) {
        return new Unusable(
            "this kernel is too old, or its surroundings hide system calls ("
                + e.getMessage()
                + ")",
            "Linux 5.3 or newer is needed; in a container, a runtime that knows its calls");
      }
      return new Unusable(
          "bubblewrap cannot be started: " + e.getMessage(), install(machine, "install it anew"));
    }
    Matcher version = VERSION.matcher(finished.out());
    if (finished.status() == 0 && version.find()) {
      return isOld(version)
          ? tooOld(finished.out().strip(), machine)
          : new Usable(launcher, finished.out().strip().replace("bubblewrap ", ""));
    }
    if (finished.err().contains("Unknown option")) {
      return tooOld(firstLine(finished.err()), machine);
    }
    if (search.setId() && !machine.root()) {
      return LauncherFailure.setUid(launcher, firstLine(finished.err()));
    }
    return LauncherFailure.explain(launcher, firstLine(finished.err()), finished.status(), machine);
  }

  /** What every launch uses; the program inside is the launcher itself, which is surely there. */
  static List<String> arguments(UnixPath launcher) {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--unshare-all", "--unshare-user", "--cap-drop", "ALL"));
    arguments.addAll(List.of("--hostname", "sandbox", "--disable-userns", "--die-with-parent"));
    arguments.addAll(List.of("--new-session", "--as-pid-1", "--ro-bind", "/", "/"));
    arguments.addAll(List.of("--dev", "/dev", "--proc", "/proc"));
    arguments.addAll(List.of("--ro-bind", "/proc/sys", "/proc/sys"));
    arguments.addAll(List.of("--perms", "1777", "--size", "65536", "--tmpfs", "/dev/shm"));
    arguments.addAll(List.of("--remount-ro", "/dev", launcher.toString(), "--version"));
    return arguments;
  }

  private static Finding missing(LauncherSearch search, Machine machine) {
    if (!search.rejected().isEmpty()) {
      return new Unusable(
          "no bubblewrap that can be trusted was found: " + String.join("; ", search.rejected()),
          install(machine, "install it with the system's packages")
              + "; or name one that only root or you can change with -D"
              + LauncherSearch.PROPERTY
              + "=PATH");
    }
    return new Unusable(
        "bubblewrap (bwrap) is not installed",
        install(machine, "install the package bubblewrap, version " + NEEDED + " or newer"));
  }

  private static Finding tooOld(String said, Machine machine) {
    return new Unusable(
        "bubblewrap is too old (" + said + "): version " + NEEDED + " or newer is needed",
        install(machine, "install a newer one")
            + "; where the distribution has no newer one, build it and name it with -D"
            + LauncherSearch.PROPERTY
            + "=PATH");
  }

  private static String install(Machine machine, String otherwise) {
    String command = machine.installCommand();
    return command.isEmpty() ? otherwise : command;
  }

  private static boolean isOld(Matcher version) {
    int major = Integer.parseInt(version.group(1));
    int minor = Integer.parseInt(version.group(2));
    return major == 0 && minor < 8;
  }

  private static String firstLine(String text) {
    return text.lines().filter(line -> !line.isBlank()).findFirst().orElse("").strip();
  }
}
