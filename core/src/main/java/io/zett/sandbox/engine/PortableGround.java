package io.zett.sandbox.engine;

import io.zett.sandbox.PathExplanation;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.portable.Budget;
import io.zett.sandbox.process.Input;
import io.zett.sandbox.process.VirtualThreads;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** What every JDK can do, where the system's own calls are not made: macOS, Windows and others. */
final class PortableGround implements Ground {
  private final SandboxPolicy policy;
  private final Starts starts;
  private final PortableSession session;
  private final ResourceReport report;
  private final PlainFiles files;
  private final VirtualThreads threads;
  private final ScheduledThreadPoolExecutor timer;

  PortableGround(SandboxPolicy policy, Starts starts, PortableSession session) {
    this.policy = policy;
    this.starts = starts;
    this.session = session;
    report = new ResourceReport(starts.kind(), starts.isolated(), starts.enforcements());
    files = new PlainFiles(policy, session.workspace());
    threads = VirtualThreads.open();
    timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread =
                  Thread.ofPlatform().name("zett-sandbox-timer").daemon().unstarted(task);
              thread.setContextClassLoader(null);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
    OpenEngines.get().watchEnd();
  }

  @Override
  public SandboxPolicy policy() {
    return policy;
  }

  @Override
  public ResourceReport report() {
    return report;
  }

  @Override
  public Path workspace() {
    return session.workspace();
  }

  @Override
  public WorkspaceFiles files() {
    return files;
  }

  @Override
  public VirtualThreads virtualThreads() {
    return threads;
  }

  @Override
  public void schedule(Duration delay, Runnable action) {
    var _ = after(delay, action);
  }

  /** After the end nothing is left to be done. */
  private Runnable after(Duration delay, Runnable action) {
    long nanos = TimeUnit.NANOSECONDS.convert(delay);
    try {
      Future<?> later = timer.schedule(action, nanos, TimeUnit.NANOSECONDS);
      return () -> later.cancel(false);
    } catch (RejectedExecutionException e) {
      return () -> {};
    }
  }

  @Override
  public Input input(Path file) {
    return new Input.Stream(new OpenedLater(() -> Files.newInputStream(file)));
  }

  @Override
  public Course course(SandboxCommand command, Optional<Duration> usual, CommandStreams streams) {
    if (command.terminal().isPresent()) {
      throw new IllegalArgumentException(
          "terminal: this system's terminals are not supported by this version; leave it out");
    }
    Path directory =
        command
            .cwd()
            .map(cwd -> session.workspace().resolve(cwd).normalize())
            .orElse(session.workspace());
    starts.check(command, directory);
    Optional<Duration> time =
        command.timeoutDisabled() ? Optional.empty() : command.timeout().or(() -> usual);
    return new PortableCourse(command, directory, time, streams, starts, budget(), this::after);
  }

  /** What nothing counts here is not asked for. */
  private Budget budget() {
    return new Budget(
        starts.countsMemory() ? policy.memory() : OptionalLong.empty(),
        policy.cpuSeconds(),
        policy.processes());
  }

  /** The input of a descriptor: of the caller's, only the standard input can be had. */
  static InputStream descriptor(int number) {
    if (number != 0) {
      throw new IllegalArgumentException("descriptor " + number + " cannot be read here");
    }
    return System.in;
  }

  @Override
  public List<PathExplanation> explain(List<Path> paths) {
    return starts.explain(paths);
  }

  @Override
  public void begin() {}

  @Override
  public void close() {
    files.close();
    session.tree().close();
    timer.shutdownNow();
    threads.close();
  }
}
