package io.zett.sandbox.engine;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Limit;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.flight.DecisionFlight;
import io.zett.sandbox.flight.FlightLog;
import io.zett.sandbox.portable.PosixTools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Opens sandboxes whose commands the JDK starts. Immutable, thread-safe. */
final class PortableGrounds {
  /** No other is ever used, wherever {@code PATH} leads. */
  private static final Path SEATBELT = Path.of("/usr/bin/sandbox-exec");

  private final Platform platform;
  private final Map<String, String> host;
  private final PosixTools tools;
  private final Path seatbelt;

  /**
   * For a system.
   *
   * @param host this process's variables
   * @param tools what a Unix has; not asked for on Windows
   * @param seatbelt the launcher of macOS
   */
  PortableGrounds(Platform platform, Map<String, String> host, PosixTools tools, Path seatbelt) {
    this.platform = platform;
    this.host = host;
    this.tools = tools;
    this.seatbelt = seatbelt;
  }

  /** For this machine as another system would be. */
  static PortableGrounds of(Platform platform) {
    return new PortableGrounds(
        platform, CallerEnvironment.get().variables(), PosixTools.find(), SEATBELT);
  }

  /**
   * Opens one; when that fails, nothing is left behind.
   *
   * @throws SandboxUnavailableException if the policy's backend cannot be had here
   * @throws io.zett.sandbox.SandboxSetupException if its directories cannot be made
   * @throws IllegalArgumentException if the policy names what does not exist
   */
  Ground open(SandboxPolicy policy, @Nullable Path workspace) {
    DecisionFlight flight = FlightLog.decision(policy.backend());
    SandboxBackend backend;
    try {
      backend = check(policy);
    } catch (SandboxUnavailableException e) {
      flight.refused(kind(policy), e.problem());
      throw e;
    }
    flight.chosen(backend, "", "");
    PortableSession session = PortableSession.make(policy, workspace, home());
    boolean done = false;
    try {
      Starts starts =
          switch (backend) {
            case SEATBELT ->
                SeatbeltTrial.passed(
                    SeatbeltStarts.make(
                        policy, unix(policy, session), seatbelt, session, workspace == null),
                    session.workspace());
            case PASSTHROUGH, AUTO, BUBBLEWRAP ->
                platform == Platform.WINDOWS
                    ? new WindowsStarts(policy, host, session)
                    : unix(policy, session);
          };
      Ground ground = new PortableGround(policy, starts, session);
      done = true;
      return ground;
    } finally {
      if (!done) {
        session.tree().close();
      }
    }
  }

  private UnixStarts unix(SandboxPolicy policy, PortableSession session) {
    return new UnixStarts(policy, host, session, tools);
  }

  private SandboxBackend check(SandboxPolicy policy) {
    SandboxBackend backend = platform.backend(policy);
    PortableLimits.refuse(policy, platform != Platform.WINDOWS && tools.table() != null);
    if (backend == SandboxBackend.SEATBELT && !Files.isExecutable(seatbelt)) {
      throw new SandboxUnavailableException(
          "backend: there is no " + seatbelt + ", which every macOS has had so far",
          "tell its version in a report, or use the backend passthrough, which isolates nothing");
    }
    return backend;
  }

  private SandboxBackend kind(SandboxPolicy policy) {
    return policy.backend() == SandboxBackend.AUTO ? platform.backend() : policy.backend();
  }

  /** What would be enforced, told without opening one. */
  ResourceReport report(SandboxPolicy policy) {
    SandboxBackend backend;
    try {
      backend = check(policy);
    } catch (SandboxUnavailableException e) {
      return NoReport.of(kind(policy), e);
    }
    Map<Limit, Enforcement> limits =
        platform == Platform.WINDOWS
            ? PortableLimits.windows()
            : PortableLimits.unix(tools.table() != null);
    return new ResourceReport(backend, backend != SandboxBackend.PASSTHROUGH, limits);
  }

  private Path home() {
    String given = platform == Platform.WINDOWS ? null : host.get("HOME");
    return given != null && given.startsWith("/")
        ? Path.of(given)
        : Path.of(System.getProperty("user.home", "/"));
  }
}
