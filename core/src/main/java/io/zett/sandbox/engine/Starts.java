package io.zett.sandbox.engine;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Limit;
import io.zett.sandbox.PathExplanation;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.portable.StartPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What differs between the systems on which the JDK starts commands: who is started, with which
 * variables, and what that enforces. Immutable, thread-safe.
 */
interface Starts {

  /** What builds the sandbox. */
  SandboxBackend kind();

  /** Whether it keeps commands from the rest of the machine. */
  boolean isolated();

  /** What is enforced of each limit. */
  Map<Limit, Enforcement> enforcements();

  /** Whether a limit that the policy sets is set for each process. */
  boolean bounds(Limit limit);

  /** Whether anything counts what processes have in memory. */
  boolean countsMemory();

  /** A command's variables. */
  SortedMap<String, String> environment(Map<String, String> ofCommand);

  /**
   * Refuses a command that cannot be started here, before it waits for its turn.
   *
   * @throws IllegalArgumentException as {@link #plan}
   */
  void check(SandboxCommand command, Path directory);

  /**
   * How it is started now; empty when there is no such program.
   *
   * @throws IllegalArgumentException if its words cannot be handed over
   * @throws io.zett.sandbox.SandboxSetupException if the policy cannot be kept on this disk
   */
  Optional<StartPlan> plan(SandboxCommand command, Path directory);

  /** What commands meet at absolute paths. */
  List<PathExplanation> explain(List<Path> paths);
}
