package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.backend.InitCommand;
import io.zett.sandbox.backend.Launch;
import io.zett.sandbox.backend.PlaceholderRequest;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.host.ViewedRule;
import io.zett.sandbox.limits.LimitGroup;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.LaunchDescriptors;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.Inherited;
import io.zett.sandbox.process.Order;
import io.zett.sandbox.process.Verifier;
import io.zett.sandbox.rules.PathRule.Kind;
import io.zett.sandbox.workspace.Placeholder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * From a policy to a sandbox that can be started: the disk is looked at anew, what a denied path
 * needs is put there, and limits are made.
 */
final class Preparation {
  /** Looking, putting and looking again ends soon unless somebody else works against it. */
  private static final int MOST_ROUNDS = 16;

  /** Up to this many mounts a look at them does not hold up the event loop. */
  private static final int CHEAP_CHECKS = 300;

  /** 2,000 masks take 2 s on an idle machine and 26 s on one with ten times the work it can do. */
  private static final long MILLIS_FOR_A_MOUNT = 40;

  private static final int PERMISSIONS = 07777;

  private final Opened opened;
  private final Posix posix;
  private final Map<UnixPath, Placeholder> held = new LinkedHashMap<>();
  private @Nullable VanishingPaths vanishing;

  private Preparation(Opened opened) {
    this.opened = opened;
    this.posix = opened.posix();
  }

  /**
   * Prepares the sandbox of one command.
   *
   * @throws SandboxSetupException if it cannot be built
   */
  static Prepared of(Opened opened) {
    Preparation preparation = new Preparation(opened);
    boolean done = false;
    try {
      Prepared prepared = preparation.prepared(preparation.launch());
      done = true;
      return prepared;
    } catch (PosixException e) {
      throw new SandboxSetupException("preparing the command", null, Shortage.explained(e), e);
    } finally {
      if (!done) {
        preparation.held.values().forEach(Placeholder::close);
      }
    }
  }

  private Prepared prepared(Plan plan) {
    LimitGroup limits = limits();
    boolean done = false;
    try {
      Prepared prepared = new Prepared(opened, plan, limits, held.values(), vanishing);
      prepared.order(order(plan, prepared));
      done = true;
      return prepared;
    } finally {
      if (!done) {
        limits.close();
      }
    }
  }

  /**
   * Prepares one as the last one was, without a look at the disk; null where that cannot be, or
   * would be of no use. Whoever uses it looks before the command may start, at the latest.
   *
   * @throws SandboxSetupException if its limits cannot be made
   * @throws PosixException if its files cannot be made
   */
  static @Nullable Prepared asBefore(Opened opened) {
    Preparation preparation = new Preparation(opened);
    long since = VanishingPaths.now();
    Plan plan = opened.plans().last();
    if (plan == null
        || !opened.survey().mayStillHold(plan.view())
        || mayBePlaceholders(plan.view())) {
      return null;
    }
    preparation.vanishing = VanishingPaths.of(opened.placeholders(), plan.vanishing(), since);
    return preparation.prepared(plan);
  }

  /** Whether commands could be started now; what it puts on the disk it takes away again. */
  static Launch rehearse(Opened opened) {
    Preparation preparation = new Preparation(opened);
    try {
      return preparation.launch().launch();
    } finally {
      preparation.held.values().forEach(Placeholder::close);
    }
  }

  private LimitGroup limits() {
    try {
      return opened.limits().begin();
    } catch (PosixException e) {
      throw new SandboxSetupException("making the control groups", null, Shortage.explained(e), e);
    }
  }

  private Plan launch() {
    for (int round = 0; round < MOST_ROUNDS; round++) {
      long since = VanishingPaths.now();
      HostView view = opened.survey().look();
      boolean added = holdPlaceholdersOfOthers(view);
      Plan plan = opened.plans().plan(view, held.keySet());
      Launch launch = plan.launch();
      if (launch.placeholders().isEmpty() && !added) {
        vanishing = VanishingPaths.of(opened.placeholders(), plan.vanishing(), since);
        return plan;
      }
      for (PlaceholderRequest request : launch.placeholders()) {
        hold(request.firstMissing(), request.directory());
      }
    }
    throw new SandboxSetupException(
        "protecting denied paths that do not exist",
        "somebody else creates and deletes them all the time");
  }

  /**
   * What another session has put at a denied path looks like an existing file; it must be held here
   * too, or it goes away, and our mask with it, when that session is done.
   */
  private boolean holdPlaceholdersOfOthers(HostView view) {
    boolean added = false;
    for (ViewedRule rule : view.rules()) {
      UnixPath real = rule.at().real();
      if (mayBePlaceholder(rule)
          && !held.containsKey(real)
          && opened.placeholders().isPlaceholder(real)) {
        hold(real, Objects.requireNonNull(rule.at().status()).isDirectory());
        added = true;
      }
    }
    return added;
  }

  private static boolean mayBePlaceholders(HostView view) {
    return view.rules().stream().anyMatch(Preparation::mayBePlaceholder);
  }

  private static boolean mayBePlaceholder(ViewedRule rule) {
    boolean denied = rule.kind() != Kind.WRITABLE && rule.kind() != Kind.ALLOW_READ;
    FileStatus status = rule.at().status();
    return denied && status != null && looksLikeOne(status);
  }

  private static boolean looksLikeOne(FileStatus status) {
    int permissions = status.mode() & PERMISSIONS;
    return status.isDirectory()
        ? permissions == 0555
        : status.isRegular() && permissions == 0444 && status.size() == 0;
  }

  /** What has gone since the look is found out by the next one. */
  private void hold(UnixPath path, boolean directory) {
    try {
      opened
          .placeholders()
          .acquire(path, directory)
          .ifPresent(
              placeholder -> {
                Placeholder before = held.put(placeholder.path(), placeholder);
                if (before != null) {
                  before.close();
                }
              });
    } catch (PosixException e) {
      if (e.errno() == Errno.ENOENT) {
        return; // Another command's placeholder, in which this one's was to be, is gone with it.
      }
      throw new SandboxSetupException(
          "protecting a denied path that does not exist", path.toPath(), Shortage.explained(e), e);
    }
  }

  private Order order(Plan plan, Prepared prepared) {
    Launch launch = plan.launch();
    List<byte[]> argv = new ArrayList<>(launch.argv());
    List<Inherited> inherited = new ArrayList<>();
    inherited.add(new Inherited(opened.init().descriptor(), LaunchDescriptors.INIT, false));
    int target = LaunchDescriptors.GROUPS;
    for (int join : prepared.limits().joins()) {
      inherited.add(new Inherited(join, target, false));
      argv.add(InitCommand.ascii(Integer.toString(target)));
      target++;
    }
    // Owned ones last: until the order is complete, nobody would close them.
    inherited.addAll(plan.files());
    return new Order(
        launch.program(),
        argv,
        inherited,
        verifier(plan, prepared),
        Order.SETUP_DEADLINE.plusMillis(MILLIS_FOR_A_MOUNT * launch.checks().size()),
        opened.hasNamespaces());
  }

  private static Verifier verifier(Plan plan, Prepared prepared) {
    Launch launch = plan.launch();
    boolean cheap =
        launch.checks().size() + launch.watch().size() <= CHEAP_CHECKS
            && !prepared.limits().isReadySlowly();
    return new Verifier() {
      @Override
      public void verify(int pid) {
        prepared.verified(pid, () -> plan.verifier().verify(pid));
      }

      @Override
      public void ended() {
        prepared.ended();
      }

      @Override
      public boolean isCheap() {
        return cheap;
      }
    };
  }
}
