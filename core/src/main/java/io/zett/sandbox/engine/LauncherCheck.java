package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.backend.InitCommand;
import io.zett.sandbox.backend.bubblewrap.BubblewrapProbe;
import io.zett.sandbox.backend.bubblewrap.Machine;
import io.zett.sandbox.backend.bubblewrap.ProgramRunner;
import io.zett.sandbox.host.LauncherSearch;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.EventLoop;
import io.zett.sandbox.process.ToolRun;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * bubblewrap on this machine: found in a place that can be trusted, and seen to work. What worked
 * once in this process is not tried again as long as the file is the same; what did not is.
 */
final class LauncherCheck {
  private static final String PROGRAM = "bwrap";

  /** The last one that worked, and the file that it was. */
  private record Working(BubblewrapProbe.Usable usable, FileStatus file) {
    boolean is(UnixPath launcher, FileStatus status) {
      return usable.launcher().equals(launcher)
          && file.dev() == status.dev()
          && file.ino() == status.ino()
          && file.mtimeNanos() == status.mtimeNanos();
    }
  }

  private static final Object TRYING = new Object();
  private static volatile boolean underWay;
  private static volatile @Nullable Working working;

  private LauncherCheck() {}

  /**
   * The launcher.
   *
   * @throws SandboxUnavailableException if there is none that works, with the mend that fits
   */
  static BubblewrapProbe.Usable usable(Posix posix) {
    LauncherSearch search = LauncherSearch.of(posix, PROGRAM, override());
    UnixPath launcher = search.found().orElse(null);
    FileStatus status = launcher == null ? null : posix.stat(launcher);
    if (launcher == null || status == null) {
      return tried(posix, search);
    }
    Working known = working;
    if (known != null && known.is(launcher, status)) {
      return known.usable();
    }
    synchronized (TRYING) { // one try at a time: the others have use for what it finds
      known = working;
      if (known != null && known.is(launcher, status)) {
        return known.usable();
      }
      underWay = true;
      try {
        BubblewrapProbe.Usable usable = tried(posix, search);
        working = new Working(usable, status);
        return usable;
      } finally {
        underWay = false;
      }
    }
  }

  /**
   * The launcher that another thread is just trying, if there is one: for plans, and nothing else.
   */
  static Optional<UnixPath> beingTried(Posix posix) {
    return underWay ? LauncherSearch.of(posix, PROGRAM, override()).found() : Optional.empty();
  }

  private static BubblewrapProbe.Usable tried(Posix posix, LauncherSearch search) {
    return switch (probe(posix, search)) {
      case BubblewrapProbe.Usable usable -> usable;
      case BubblewrapProbe.Unusable unusable ->
          throw new SandboxUnavailableException(unusable.problem(), unusable.fix());
    };
  }

  private static BubblewrapProbe.Finding probe(Posix posix, LauncherSearch search) {
    EventLoop loop = Shared.get().acquire(posix);
    try {
      return BubblewrapProbe.probe(search, Machine.inspect(posix), runner(loop, posix));
    } finally {
      Shared.get().release();
    }
  }

  private static ProgramRunner runner(EventLoop loop, Posix posix) {
    return (program, arguments) -> {
      List<byte[]> argv = new ArrayList<>();
      argv.add(InitCommand.ascii(InitCommand.NAME));
      arguments.forEach(argument -> argv.add(argument.getBytes(StandardCharsets.UTF_8)));
      ToolRun run = ToolRun.run(loop, posix, program, argv, List.of());
      return new ProgramRunner.Finished(run.status(), run.out(), run.err());
    };
  }

  private static @Nullable UnixPath override() {
    String named = System.getProperty(LauncherSearch.PROPERTY);
    if (named == null) {
      return null;
    }
    try {
      return UnixPath.ofText(named);
    } catch (IllegalArgumentException e) {
      throw new SandboxUnavailableException(
          "the property " + LauncherSearch.PROPERTY + " names no absolute path: " + named,
          "name the launcher with its full path",
          e);
    }
  }
}
