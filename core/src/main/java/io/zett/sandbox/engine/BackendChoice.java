package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.backend.Backend;
import io.zett.sandbox.backend.bubblewrap.BubblewrapBackend;
import io.zett.sandbox.backend.bubblewrap.BubblewrapProbe;
import io.zett.sandbox.backend.passthrough.PassthroughBackend;
import io.zett.sandbox.backend.seatbelt.SeatbeltBackend;
import io.zett.sandbox.flight.DecisionFlight;
import io.zett.sandbox.flight.FlightLog;
import io.zett.sandbox.host.Host;
import io.zett.sandbox.limits.LimitSurroundings;
import io.zett.sandbox.posix.Architecture;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The backend for a policy on this machine.
 *
 * @param backend what builds the sandboxes
 * @param isolated whether it keeps commands from the rest of the machine
 * @param posix the operating system
 * @param host facts of this process and machine
 * @param untried the launcher, if another thread is still trying it; null if it works
 */
record BackendChoice(
    Backend backend, boolean isolated, Posix posix, Host host, @Nullable UnixPath untried) {

  /** One that works. */
  BackendChoice(Backend backend, boolean isolated, Posix posix, Host host) {
    this(backend, isolated, posix, host, null);
  }

  /**
   * Chooses, and makes sure that it works.
   *
   * @throws SandboxUnavailableException if the policy's backend cannot be had here
   * @throws SandboxSetupException if the machine cannot even be looked at
   */
  static BackendChoice make(SandboxPolicy policy) {
    return make(policy, Shared::posix);
  }

  /** The same with other calls of the operating system. */
  static BackendChoice make(SandboxPolicy policy, Supplier<Posix> system) {
    DecisionFlight flight = FlightLog.decision(policy.backend());
    try {
      BackendChoice choice = choose(policy, Platform.current(), system);
      if (flight.isRecorded()) {
        choice.tell(flight);
      }
      return choice;
    } catch (SandboxUnavailableException e) {
      flight.refused(kind(policy), e.problem());
      throw e;
    } catch (PosixException e) {
      String problem = Shortage.explained(e);
      flight.refused(kind(policy), problem);
      throw new SandboxSetupException("choosing the backend", null, problem, e);
    } catch (OutOfMemoryError e) {
      throw Shortage.of("choosing the backend", e);
    }
  }

  private void tell(DecisionFlight flight) {
    if (backend.kind() == SandboxBackend.BUBBLEWRAP) {
      BubblewrapProbe.Usable launcher = LauncherCheck.usable(posix);
      flight.chosen(backend.kind(), launcher.launcher().toString(), launcher.version());
    } else {
      flight.chosen(backend.kind(), "", "");
    }
  }

  static BackendChoice choose(SandboxPolicy policy, Platform platform) {
    return choose(policy, platform, Shared::posix);
  }

  /** Chooses for a platform, whichever this one is: what is not for it is refused first. */
  static BackendChoice choose(SandboxPolicy policy, Platform platform, Supplier<Posix> system) {
    SandboxBackend wanted = platform.backend(policy);
    Posix posix = system.get();
    Host host = inspect(posix);
    return switch (wanted) {
      case BUBBLEWRAP ->
          LauncherCheck.beingTried(posix)
              .map(launcher -> bubblewrap(launcher, posix, host, launcher))
              .orElseGet(
                  () -> bubblewrap(LauncherCheck.usable(posix).launcher(), posix, host, null));
      case PASSTHROUGH -> new BackendChoice(new PassthroughBackend(), false, posix, host);
      case AUTO, SEATBELT -> throw new IllegalStateException(wanted + " on " + platform);
    };
  }

  private static BackendChoice bubblewrap(
      UnixPath launcher, Posix posix, Host host, @Nullable UnixPath untried) {
    Backend backend = new BubblewrapBackend(launcher, Architecture.current());
    return new BackendChoice(backend, true, posix, host, untried);
  }

  /**
   * Waits until the launcher has been tried; nothing may be started before.
   *
   * @throws SandboxUnavailableException if it does not work
   */
  void confirm() {
    if (untried != null && !LauncherCheck.usable(posix).launcher().equals(untried)) {
      throw new SandboxSetupException(
          "choosing the backend", "bubblewrap was replaced while the sandbox opened");
    }
  }

  /** The kind that a policy would get, whether it works or not. */
  static SandboxBackend kind(SandboxPolicy policy) {
    return policy.backend() == SandboxBackend.AUTO
        ? Platform.current().backend()
        : policy.backend();
  }

  private static Host inspect(Posix posix) {
    return Host.inspect(
        posix, CallerEnvironment.get().bytes("HOME").map(bytes -> home(posix, bytes)).orElse(null));
  }

  /**
   * A home directory as it is given or, when it is no plain path, where it leads: a {@code ..} in
   * it must not keep its credentials from being hidden. One that is not absolute is none.
   */
  private static @Nullable UnixPath home(Posix posix, byte[] given) {
    if (given.length == 0 || given[0] != '/') {
      return null;
    }
    try {
      return UnixPath.of(given);
    } catch (IllegalArgumentException notPlain) {
      try {
        return realPath(posix, given);
      } catch (PosixException e) {
        e.throwIfShortage();
        return null; // It is not there: nothing in it can be read.
      } catch (IllegalArgumentException e) {
        return null; // It is not there: nothing in it can be read.
      }
    }
  }

  private static UnixPath realPath(Posix posix, byte[] given) {
    int fd = posix.openat(Constants.AT_FDCWD, given, Constants.O_PATH | Constants.O_DIRECTORY, 0);
    try {
      return UnixPath.of(posix.readlink(UnixPath.ofText("/proc/self/fd/" + fd)));
    } finally {
      posix.close(fd);
    }
  }

  /** Where the backend comes from, for people. */
  String description() {
    return switch (backend.kind()) {
      case BUBBLEWRAP -> {
        BubblewrapProbe.Usable launcher = LauncherCheck.usable(posix);
        yield " " + launcher.version() + " (" + launcher.launcher() + ")";
      }
      case SEATBELT -> " (" + SeatbeltBackend.LAUNCHER + ")";
      case PASSTHROUGH, AUTO -> " (no isolation)";
    };
  }

  /** What decides about limits, of this process and such a sandbox. */
  LimitSurroundings surroundings() {
    boolean namespaces = backend.hasNamespaces();
    String[] version = host.kernelRelease().split("[^0-9]+", 3);
    return new LimitSurroundings(
        namespaces, host.isRoot(), number(version, 0), number(version, 1), true);
  }

  private static int number(String[] version, int at) {
    return version.length > at && !version[at].isEmpty() ? Integer.parseInt(version[at]) : 0;
  }
}
