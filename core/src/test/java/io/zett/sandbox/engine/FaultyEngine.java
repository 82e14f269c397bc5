package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.cases.outside.Eventually;
import io.zett.sandbox.faults.FaultSource;
import io.zett.sandbox.faults.InterposedPosix;
import io.zett.sandbox.faults.LaunchPlans;
import io.zett.sandbox.faults.Ledger;
import io.zett.sandbox.posix.Posix;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sandboxes over an operating system that can be made to refuse a call, and their books. */
final class FaultyEngine {
  private static final Pattern GROUPS =
      Pattern.compile("(OomEvent\\.register|CommandGroups\\.openJoins).*");

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration SOON = Duration.ofSeconds(5);

  final FaultSource faults = new FaultSource();
  final LaunchPlans plans = new LaunchPlans();
  private final Ledger ledger = new Ledger();
  private final Posix posix =
      InterposedPosix.over(
          InterposedPosix.over(InterposedPosix.over(Posix.system(), ledger), plans), faults);

  Engine open(SandboxPolicy policy, @Nullable Path workspace) {
    return Engine.open(policy, workspace, () -> BackendChoice.make(policy, () -> posix));
  }

  /** What an action returns or throws; one that hangs is an error with all threads' stacks. */
  static <T> T within(Object what, Callable<T> action) throws Exception {
    CompletableFuture<T> done = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("faulted")
        .start(
            () -> {
              try {
                done.complete(action.call());
              } catch (Throwable e) {
                done.completeExceptionally(e);
              }
            });
    try {
      return done.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (CancellationException e) {
      throw e.getCause() instanceof SandboxCanceledException told ? told : e;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw new AssertionError(what.toString(), e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("hangs after " + what + "\n" + threads(), e);
    }
  }

  private static String threads() {
    return Thread.getAllStackTraces().entrySet().stream()
        .map(
            entry ->
                entry.getKey().getName()
                    + List.of(entry.getValue()).stream()
                        .map(frame -> "\n    " + frame)
                        .collect(Collectors.joining()))
        .collect(Collectors.joining("\n"));
  }

  /** What is held from now on counts: after a leak that has been told. */
  void forget() {
    ledger.forget();
  }

  /** What is held now, by where it was taken. */
  List<String> held() {
    return Stream.of(ledger.descriptors(), ledger.children())
        .map(Map::values)
        .flatMap(Collection::stream)
        .map(FaultyEngine::inGroups)
        .sorted()
        .toList();
  }

  /** Whether a group is new or used again does not matter: it holds the same. */
  private static String inGroups(String site) {
    return GROUPS.matcher(site).replaceFirst("$1 of a group");
  }

  /** Waits until no more and no less is held; groups for the next command are made meanwhile. */
  void awaitHeld(Object what, List<String> expected) {
    Eventually.within(
        SOON,
        () -> "after " + what + " as before:\n" + shown(expected) + "but:\n" + shown(held()),
        () -> held().equals(expected));
    assertThat(ledger.strayCloses()).as("closed and not open, after %s", what).isEmpty();
  }

  private static String shown(List<String> sites) {
    return sites.stream().map(site -> "  " + site + "\n").collect(Collectors.joining());
  }

  /** Waits until no descriptor and no child is held. */
  void assertGivenBack(Object what) {
    awaitHeld(what, List.of());
  }

  /** Nothing is held once all is closed. */
  void assertNothingHeld(Object what) {
    assertGivenBack(what);
    assertThat(ledger.directories(Posix.system())).as("directories after %s", what).isEmpty();
    Eventually.within(
        PATIENCE, () -> "no thread after " + what + ":\n" + threads(), () -> !hasThreads());
  }

  private static boolean hasThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .anyMatch(name -> name.startsWith("zett-sandbox-"));
  }

  /** The session works. */
  static void assertWorks(Object what, Engine engine) throws Exception {
    SandboxResult result =
        within("echo after " + what, () -> engine.run(SandboxCommand.shell("echo ok")));
    assertThat(result.stdout()).as("after %s", what).isEqualTo("ok\n");
    assertThat(result.exitCode()).as("after %s", what).isZero();
  }
}
