package io.zett.sandbox.engine;

import io.zett.sandbox.PathExplanation;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.Input;
import io.zett.sandbox.process.VirtualThreads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Linux's own calls. */
final class NativeGround implements Ground {
  private final Opened opened;
  private final WarmPool warm;
  private final ConfinedFiles files;

  private NativeGround(Opened opened) {
    this.opened = opened;
    this.warm = new WarmPool(opened, opened.hasNamespaces() ? opened.policy().warm() : 0);
    this.files = new ConfinedFiles(opened);
  }

  /** Opens a sandbox; when it fails, nothing is left behind. */
  static Ground open(SandboxPolicy policy, @Nullable Path workspace, BackendChoice choice) {
    return new NativeGround(Opening.open(policy, workspace, choice));
  }

  @Override
  public SandboxPolicy policy() {
    return opened.policy();
  }

  @Override
  public ResourceReport report() {
    return opened.report();
  }

  @Override
  public Path workspace() {
    return opened.workspacePath();
  }

  @Override
  public WorkspaceFiles files() {
    return files;
  }

  @Override
  public VirtualThreads virtualThreads() {
    return opened.loop().virtualThreads();
  }

  @Override
  public void schedule(Duration delay, Runnable action) {
    opened.loop().schedule(delay, action);
  }

  @Override
  public Input input(Path file) {
    return new Input.File(UnixPath.of(file.toAbsolutePath()));
  }

  @Override
  public Course course(SandboxCommand command, Optional<Duration> usual, CommandStreams streams) {
    return new NativeCourse(opened, CommandPlan.of(opened, command, usual), streams, warm);
  }

  @Override
  public List<PathExplanation> explain(List<Path> paths) {
    return Explanations.of(opened, paths);
  }

  /** The sandboxes that are kept started ahead. */
  WarmPool warm() {
    return warm;
  }

  @Override
  public void begin() {
    warm.refill();
  }

  @Override
  public void close() {
    warm.close();
    files.close();
    opened.loop().awaitLeaving();
    opened.close();
  }
}
