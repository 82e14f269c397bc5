package io.zett.sandbox.engine;

import io.zett.sandbox.PathExplanation;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.process.Input;
import io.zett.sandbox.process.VirtualThreads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the commands of one open sandbox run on: Linux's own calls, or what every JDK can do. The
 * queue, cancelling, streams and results are the engine's on either. Thread-safe.
 */
interface Ground extends AutoCloseable {

  /** What is allowed. */
  SandboxPolicy policy();

  /** What is enforced. */
  ResourceReport report();

  /** Where commands start and may write. */
  Path workspace();

  /** The same for the host program. */
  WorkspaceFiles files();

  /** Where tasks of the engine run. */
  VirtualThreads virtualThreads();

  /** Has something done later, on a thread where nothing may block. */
  void schedule(Duration delay, Runnable action);

  /** A file as a command's input. */
  Input input(Path file);

  /**
   * The way of a command.
   *
   * @param usual the time of a command that says nothing about it
   * @throws IllegalArgumentException if it cannot be started like that
   */
  Course course(SandboxCommand command, Optional<Duration> usual, CommandStreams streams);

  /** What a command would meet at absolute paths if it started now. */
  List<PathExplanation> explain(List<Path> paths);

  /** The sandbox is open and announced: what is done ahead may begin. */
  void begin();

  /** Every command has ended: removes all that opening made. */
  @Override
  void close();
}
