package io.zett.sandbox.engine;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.HomeMode;
import io.zett.sandbox.Limit;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.backend.Backend;
import io.zett.sandbox.backend.InsideAccounts;
import io.zett.sandbox.backend.InsideHome;
import io.zett.sandbox.backend.Launch;
import io.zett.sandbox.backend.SessionFiles;
import io.zett.sandbox.host.Host;
import io.zett.sandbox.host.HostSurvey;
import io.zett.sandbox.host.PolicyPaths;
import io.zett.sandbox.limits.Keepers;
import io.zett.sandbox.limits.LimitPlan;
import io.zett.sandbox.limits.UnavailableStrategy;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.EventLoop;
import io.zett.sandbox.process.IdleProcess;
import io.zett.sandbox.process.InitProgram;
import io.zett.sandbox.process.SetupFailure;
import io.zett.sandbox.workspace.Placeholders;
import io.zett.sandbox.workspace.PrivateDirectory;
import io.zett.sandbox.workspace.RunFolder;
import io.zett.sandbox.workspace.UnsafeParentException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The steps of opening a sandbox; when one fails, those before it are undone. */
final class Opening {
  private static final UnixPath TEMPORARY = UnixPath.ofText("/tmp");
  private static final String ELSEWHERE = "; another place can be named with -Djava.io.tmpdir=DIR";

  private final SandboxPolicy policy;
  private final Posix posix;
  private final Deque<Runnable> undo = new ArrayDeque<>();

  private Opening(SandboxPolicy policy, Posix posix) {
    this.policy = policy;
    this.posix = posix;
  }

  static Opened open(SandboxPolicy policy, @Nullable Path workspace, BackendChoice choice) {
    Opening opening = new Opening(policy, choice.posix());
    boolean done = false;
    try {
      Opened opened = opening.run(choice, workspace);
      done = true;
      return opened;
    } catch (PosixException e) {
      throw new SandboxSetupException("opening the sandbox", null, Shortage.explained(e), e);
    } catch (SetupFailure e) {
      String detail = Shortage.explained(e.detail(), e.errno());
      throw new SandboxSetupException(e.step(), null, detail, e);
    } catch (OutOfMemoryError e) {
      throw Shortage.of("opening the sandbox", e);
    } finally {
      if (!done) {
        opening.undo.forEach(Runnable::run);
      }
    }
  }

  private Opened run(BackendChoice choice, @Nullable Path given) {
    Backend backend = choice.backend();
    UnixPath parent = temporaryDirectory();
    sweep(parent);
    PrivateDirectory directory = privateDirectory(parent);
    undo.push(directory::delete);
    Host host = choice.host();
    Path workspace =
        given == null ? directory.workspace().toPath() : GivenDirectories.workspace(given);
    PolicyPaths paths = paths(workspace, given == null, host);
    EventLoop loop = Shared.get().acquire(posix);
    undo.push(Shared.get()::release);
    InitProgram init = InitProgram.load(posix);
    undo.push(init::close);
    LimitPlan limits = limits(choice);
    undo.push(limits::close);
    Map<Limit, Enforcement> enforced = limits.enforcements();
    HostSurvey survey = new HostSurvey(posix, host, paths);
    undo.push(survey::close);
    UnixPath home = InsideHome.of(policy.home(), survey.look()).path();
    SessionFiles files = files(directory, home);
    UnixPath scratch = TEMPORARY;
    if (!backend.hasNamespaces()) {
      scratch = made(files.scratch());
      home = policy.home() == HomeMode.PRIVATE ? made(files.home()) : host.home();
    }
    Plans plans = new Plans(posix, policy, backend, files);
    undo.push(plans::close);
    String account = host.isRoot() && backend.hasNamespaces() ? "sandbox" : host.accountName();
    Opened opened =
        new Opened(
            policy,
            posix,
            loop,
            new ResourceReport(backend.kind(), choice.isolated(), enforced),
            limits,
            directory,
            paths.workspace(),
            paths.workspace().toPath(),
            plans,
            survey,
            new Placeholders(posix, parent.resolve(".zett-locks-" + host.uid())),
            init,
            scratch,
            home,
            new SessionEnvironment(policy, scratch, home, account),
            backend.hasNamespaces());
    Launch rehearsed = Preparation.rehearse(opened);
    if (!rehearsed.home().equals(home)) {
      throw new SandboxSetupException("home directory", "it was replaced while the sandbox opened");
    }
    choice.confirm();
    return opened;
  }

  /** A directory of the session that stands for one that other sandboxes mount. */
  private UnixPath made(UnixPath directory) {
    posix.mkdirat(Constants.AT_FDCWD, directory.bytes(), 0700);
    return directory;
  }

  /**
   * What is wrong with the caller's own words is an argument's error: a directory to be written
   * that is missing, a file, or a link that commands own.
   */
  private PolicyPaths paths(Path workspace, boolean own, Host host) {
    try {
      return PolicyPaths.open(posix, policy, workspace, own, host.homes());
    } catch (SandboxSetupException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static UnixPath temporaryDirectory() {
    String configured = System.getProperty("java.io.tmpdir", "/tmp");
    return UnixPath.of(Path.of(configured).toAbsolutePath().normalize());
  }

  /** What a dead process of this user left here; nothing of a living one's. */
  private void sweep(UnixPath parent) {
    try {
      PrivateDirectory.sweep(posix, parent);
    } catch (PosixException e) {
      // Not readable: then there is nothing to sweep, and making our own will tell.
    }
  }

  private PrivateDirectory privateDirectory(UnixPath parent) {
    try {
      return PrivateDirectory.create(posix, parent);
    } catch (UnsafeParentException e) {
      throw unmade(parent, e.getMessage() + ELSEWHERE, e);
    } catch (PosixException e) {
      throw unmade(parent, elsewhere(e), e);
    }
  }

  private static SandboxSetupException unmade(UnixPath parent, String why, RuntimeException e) {
    return new SandboxSetupException("making the sandbox's directory", parent.toPath(), why, e);
  }

  private static String elsewhere(PosixException e) {
    return Shortage.explained(e) + (e.isShortage() ? "" : ELSEWHERE);
  }

  private LimitPlan limits(BackendChoice choice) {
    try {
      return LimitPlan.open(posix, policy, choice.surroundings(), this::keeper);
    } catch (UnavailableStrategy e) {
      throw new SandboxUnavailableException(String.valueOf(e.getMessage()), e.fix(), e);
    }
  }

  private Keepers.Keeper keeper() {
    IdleProcess process = IdleProcess.start(posix);
    return new Keepers.Keeper() {
      @Override
      public int pid() {
        return process.pid();
      }

      @Override
      public void close() {
        process.close();
      }
    };
  }

  private SessionFiles files(PrivateDirectory directory, UnixPath home) {
    RunFolder folder;
    try {
      folder =
          RunFolder.write(
              posix,
              directory.run(),
              SessionFiles.EMPTY_SETTINGS,
              text(InsideAccounts.passwd(home)),
              text(InsideAccounts.group()));
    } catch (PosixException e) {
      throw new SandboxSetupException(
          "writing the sandbox's files", directory.run().toPath(), elsewhere(e), e);
    }
    return new SessionFiles(
        folder.maskFile(),
        folder.maskDirectory(),
        folder.emptySettings(),
        folder.passwd(),
        folder.group());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
