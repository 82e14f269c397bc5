package io.zett.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The options of a policy, on both of its builders. List options accumulate; of the others the last
 * call wins. The order of the calls never matters for anything else.
 *
 * <p>Limits are for each command, not for the session: of two commands, one after the other or side
 * by side, each has the full budget. Every method checks its argument at once and throws an {@link
 * IllegalArgumentException} that names the option, the value and what to write instead.
 *
 * <p><b>Paths.</b> A relative path is the current directory's at the time of the call. Where rules
 * for several paths meet, the one with the longest matching path wins; on equal paths deny beats
 * allow. A path that begins with {@code ~}, which only a shell expands, and an empty one are
 * refused.
 *
 * <p>Not thread-safe. A builder can be used again; what it has built does not change.
 *
 * @param <B> the builder itself
 */
public abstract sealed class PolicyOptions<B extends PolicyOptions<B>>
    permits SandboxPolicy.Builder, SandboxSession.Builder {

  final TreeSet<Path> writable = new TreeSet<>();
  final TreeSet<Path> denyWrite = new TreeSet<>();
  final TreeSet<Path> denyRead = new TreeSet<>();
  final TreeSet<Path> allowRead = new TreeSet<>();
  final TreeMap<String, String> env = new TreeMap<>();
  OptionalLong memory = OptionalLong.empty();
  OptionalDouble cpus = OptionalDouble.empty();
  OptionalLong cpuSeconds = OptionalLong.empty();
  OptionalInt processes = OptionalInt.empty();
  OptionalLong maxFileSize = OptionalLong.empty();
  OptionalInt openFiles = OptionalInt.empty();
  OptionalLong scratchSize = OptionalLong.empty();
  NetworkMode network = NetworkMode.NONE;
  boolean blockUnixSockets;
  boolean protectDeveloperFiles;
  HomeMode home = HomeMode.HOST;
  Optional<Duration> timeout = Optional.of(SandboxPolicy.DEFAULT_TIMEOUT);
  SandboxBackend backend = SandboxBackend.AUTO;
  boolean requireIsolation;
  MemoryStrategy memoryStrategy = MemoryStrategy.AUTO;
  int maxConcurrent = SandboxPolicy.DEFAULT_MAX_CONCURRENT;
  int warm;

  PolicyOptions() {}

  abstract B self();

  /** Takes over everything that a policy says. */
  final void copy(SandboxPolicy policy) {
    writable.addAll(policy.writable());
    denyWrite.addAll(policy.denyWrite());
    denyRead.addAll(policy.denyRead());
    allowRead.addAll(policy.allowRead());
    env.putAll(policy.env());
    memory = policy.memory();
    cpus = policy.cpus();
    cpuSeconds = policy.cpuSeconds();
    processes = policy.processes();
    maxFileSize = policy.maxFileSize();
    openFiles = policy.openFiles();
    scratchSize = policy.scratchSize();
    network = policy.network();
    blockUnixSockets = policy.blocksUnixSockets();
    protectDeveloperFiles = policy.protectsDeveloperFiles();
    home = policy.home();
    timeout = policy.timeout();
    backend = policy.backend();
    requireIsolation = policy.requireIsolation();
    memoryStrategy = policy.memoryStrategy();
    maxConcurrent = policy.maxConcurrent();
    warm = policy.warm();
  }

  /**
   * Memory that a command and everything it starts may use together. Default: no limit.
   *
   * @param size as GNU coreutils: {@code M} and {@code MiB} are 2^20 bytes, {@code MB} is 10^6
   *     bytes, fractions are allowed, case is ignored; at least 4 MiB, at most 1 EiB
   * @throws IllegalArgumentException if it is no size or out of range
   */
  public final B memory(String size) {
    return memory(Sizes.parse("memory", size));
  }

  /**
   * Memory that a command and everything it starts may use together. Default: no limit.
   *
   * @param bytes at least 4 MiB, at most 1 EiB
   * @throws IllegalArgumentException if it is out of range
   */
  public final B memory(long bytes) {
    memory = OptionalLong.of(Bounds.bytes("memory", Bounds.LEAST_MEMORY, bytes));
    return self();
  }

  /**
   * Share of processors. Enforced by the kernel's control groups; elsewhere reported as not
   * enforced. Default: no limit.
   *
   * @param cores 0.01 to 8192; more than the machine has is no error
   * @throws IllegalArgumentException if it is out of range or no number
   */
  public final B cpus(double cores) {
    cpus = OptionalDouble.of(Bounds.cpus(cores));
    return self();
  }

  /**
   * Total processor time of a command's whole tree; sleeping costs none. Default: no limit.
   *
   * @param seconds 1 to 1,000,000,000
   * @throws IllegalArgumentException if it is out of range
   */
  public final B cpuSeconds(long seconds) {
    cpuSeconds = OptionalLong.of(Bounds.count("cpuSeconds", 1, Bounds.MOST_CPU_SECONDS, seconds));
    return self();
  }

  /**
   * Processes that a command may add, itself not counted. Linux counts threads as tasks. Default:
   * no limit.
   *
   * @param count 8 to 4,194,304
   * @throws IllegalArgumentException if it is out of range
   */
  public final B processes(int count) {
    processes =
        OptionalInt.of(
            (int) Bounds.count("processes", Bounds.LEAST_PROCESSES, Bounds.MOST_PROCESSES, count));
    return self();
  }

  /**
   * Largest file that any process of a command may create. Default: no limit.
   *
   * @param size as for {@link #memory(String)}; 1 byte to 1 EiB
   * @throws IllegalArgumentException if it is no size or out of range
   */
  public final B maxFileSize(String size) {
    return maxFileSize(Sizes.parse("maxFileSize", size));
  }

  /**
   * Largest file that any process of a command may create. Default: no limit.
   *
   * @param bytes 1 byte to 1 EiB
   * @throws IllegalArgumentException if it is out of range
   */
  public final B maxFileSize(long bytes) {
    maxFileSize = OptionalLong.of(Bounds.bytes("maxFileSize", 1, bytes));
    return self();
  }

  /**
   * Descriptors that each process of a command may hold open. Default: as the caller's.
   *
   * @param count 16 to 1,073,741,816
   * @throws IllegalArgumentException if it is out of range
   */
  public final B openFiles(int count) {
    openFiles =
        OptionalInt.of(
            (int)
                Bounds.count("openFiles", Bounds.LEAST_OPEN_FILES, Bounds.MOST_OPEN_FILES, count));
    return self();
  }

  /**
   * Whether commands have the caller's network. Default: they have none.
   *
   * @param allowed true is {@link NetworkMode#UNRESTRICTED}, false {@link NetworkMode#NONE}
   */
  public final B network(boolean allowed) {
    return network(allowed ? NetworkMode.UNRESTRICTED : NetworkMode.NONE);
  }

  /** What network commands have. Default: {@link NetworkMode#NONE}. */
  public final B network(NetworkMode mode) {
    network = Objects.requireNonNull(mode, "mode");
    return self();
  }

  /**
   * Whether commands are refused Unix sockets altogether. Sockets of the host that exist when a
   * command starts cannot be reached anyway; this closes those too that appear later in a directory
   * that it can see, and those of other network namespaces. {@code socket(AF_UNIX)} fails with
   * EPERM; socket pairs and pipes work. Default: false.
   *
   * <p>The price: managers of Python's multiprocessing, Unix listeners in Node, git's credential
   * cache, ssh-agent and Java's Unix channels do not work. Without a sandbox ({@link
   * SandboxBackend#PASSTHROUGH}) it does nothing.
   */
  public final B blockUnixSockets(boolean blocked) {
    blockUnixSockets = blocked;
    return self();
  }

  /**
   * Keeps commands from writing files that the host executes or obeys without being asked: git's
   * hooks and configuration, tasks of editors, shell start-up files, configuration of agents. Holds
   * in a workspace that the caller supplied and in each {@link #writable} directory, at its top;
   * the list is the resource {@code developer-files.txt}. What a build runs, such as a Makefile, is
   * the command's work and stays writable. Default: not protected.
   *
   * <p>Ordinary work of git goes on: status, add, commit, stash, branch, worktree, gc, tag, a local
   * clone. What needs a change of the configuration or of the hooks is refused: {@code git config},
   * {@code git remote add}, an upstream for a branch, {@code git init} at the top of a directory
   * that is no repository yet, and the removal of a worktree that existed when the sandbox was
   * opened. While a command runs, an empty directory stands where an entry of the list is missing;
   * git does not see it. A repository in a subdirectory is not protected.
   */
  public final B protectDeveloperFiles() {
    return protectDeveloperFiles(true);
  }

  /**
   * Turns the protection on or off.
   *
   * @see #protectDeveloperFiles()
   */
  public final B protectDeveloperFiles(boolean protect) {
    protectDeveloperFiles = protect;
    return self();
  }

  /**
   * Further directories that commands may write. They must exist when the sandbox is opened and are
   * never removed. Default: none.
   *
   * @throws IllegalArgumentException for the root directory and for a path of no use (see above)
   */
  public final B writable(Path... paths) {
    return writable(Arrays.asList(paths));
  }

  /**
   * Further directories that commands may write.
   *
   * @see #writable(Path...)
   */
  public final B writable(Collection<? extends Path> paths) {
    for (Path path : GivenPath.absolute("writable", paths)) {
      writable.add(GivenPath.notRoot("writable", path, "name the directories to be written"));
    }
    return self();
  }

  /**
   * Paths that stay unwritable even inside a writable directory, whether they exist yet or not.
   * Default: none.
   *
   * @throws IllegalArgumentException for a path of no use (see above)
   */
  public final B denyWrite(Path... paths) {
    return denyWrite(Arrays.asList(paths));
  }

  /**
   * Paths that stay unwritable.
   *
   * @see #denyWrite(Path...)
   */
  public final B denyWrite(Collection<? extends Path> paths) {
    denyWrite.addAll(GivenPath.absolute("denyWrite", paths));
    return self();
  }

  /**
   * Paths that can be neither read nor written, whether they exist yet or not. Default: the
   * built-in list of credentials, which these are added to.
   *
   * @throws IllegalArgumentException for the root directory and for a path of no use (see above)
   */
  public final B denyRead(Path... paths) {
    return denyRead(Arrays.asList(paths));
  }

  /**
   * Paths that can be neither read nor written.
   *
   * @see #denyRead(Path...)
   */
  public final B denyRead(Collection<? extends Path> paths) {
    for (Path path : GivenPath.absolute("denyRead", paths)) {
      denyRead.add(
          GivenPath.notRoot("denyRead", path, "nothing could run without it, name what to hide"));
    }
    return self();
  }

  /**
   * Gives back paths of the built-in list of credentials. Default: none.
   *
   * @throws IllegalArgumentException for a path of no use (see above)
   */
  public final B allowRead(Path... paths) {
    return allowRead(Arrays.asList(paths));
  }

  /**
   * Gives back paths of the built-in list of credentials.
   *
   * @see #allowRead(Path...)
   */
  public final B allowRead(Collection<? extends Path> paths) {
    allowRead.addAll(GivenPath.absolute("allowRead", paths));
    return self();
  }

  /**
   * A variable for every command, on top of those of the host that pass. A command's own wins over
   * it, and it wins over the host's.
   *
   * @throws IllegalArgumentException if the name is empty or holds {@code =}, or one of the two
   *     holds a NUL character
   */
  public final B env(String name, String value) {
    Texts.putVariable(
        env, Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
    return self();
  }

  /**
   * Variables for every command.
   *
   * @throws IllegalArgumentException as {@link #env(String, String)}, and for a null in the map
   */
  public final B env(Map<String, String> variables) {
    TreeMap<String, String> checked = new TreeMap<>();
    variables.forEach((name, value) -> Texts.putVariable(checked, name, value));
    env.putAll(checked);
    return self();
  }

  /** What commands see as the home directory. Default: {@link HomeMode#HOST}. */
  public final B home(HomeMode mode) {
    home = Objects.requireNonNull(mode, "mode");
    return self();
  }

  /**
   * Bound of the private {@code /tmp}, {@code /var/tmp}, {@code /dev/shm} and private home, each.
   * Default: the memory limit, or 1 GiB without one.
   *
   * @param size as for {@link #memory(String)}; 4 KiB to 1 EiB
   * @throws IllegalArgumentException if it is no size or out of range
   */
  public final B scratchSize(String size) {
    return scratchSize(Sizes.parse("scratchSize", size));
  }

  /**
   * Bound of the private {@code /tmp}, {@code /var/tmp}, {@code /dev/shm} and private home, each.
   * Default: the memory limit, or 1 GiB without one.
   *
   * @param bytes 4 KiB to 1 EiB
   * @throws IllegalArgumentException if it is out of range
   */
  public final B scratchSize(long bytes) {
    scratchSize = OptionalLong.of(Bounds.bytes("scratchSize", Bounds.LEAST_SCRATCH, bytes));
    return self();
  }

  /**
   * Wall time of each command, from its first instruction; then its whole tree is ended. A command
   * can have its own. Default: 60 seconds.
   *
   * @param limit positive, however long
   * @throws IllegalArgumentException if it is not positive
   */
  public final B timeout(Duration limit) {
    timeout = Optional.of(Bounds.timeout(limit));
    return self();
  }

  /** Commands have no time limit unless they bring their own. */
  public final B noTimeout() {
    timeout = Optional.empty();
    return self();
  }

  /** What builds the sandbox. Default: {@link SandboxBackend#AUTO}. */
  public final B backend(SandboxBackend choice) {
    backend = Objects.requireNonNull(choice, "choice");
    return self();
  }

  /**
   * Refuses to run unisolated: on a platform that has no sandbox, and with {@link
   * SandboxBackend#PASSTHROUGH}. Default: false.
   */
  public final B requireIsolation(boolean required) {
    requireIsolation = required;
    return self();
  }

  /** How the memory limit is enforced. Default: {@link MemoryStrategy#AUTO}. */
  public final B memoryStrategy(MemoryStrategy strategy) {
    memoryStrategy = Objects.requireNonNull(strategy, "strategy");
    return self();
  }

  /**
   * How many commands run at once; more wait in order, their time limit not yet counting. Default:
   * 256.
   *
   * @param commands 1 or more
   * @throws IllegalArgumentException if it is less
   */
  public final B maxConcurrent(int commands) {
    if (commands < 1) {
      throw new IllegalArgumentException(
          "maxConcurrent: " + commands + " commands at once? Nothing could run; the least is 1");
    }
    maxConcurrent = commands;
    return self();
  }

  /**
   * How many sandboxes are kept started ahead, each waiting for one command and used for no other,
   * with the policy, the limits and the isolation of every sandbox. A command that finds one starts
   * in a fraction of the time. One whose world has changed meanwhile (a denied path appeared, a
   * link moved, something was mounted, a socket came) is thrown away. They are made in the
   * background, begin to be when the session opens, do nothing but wait, and end with the session.
   * Each takes the memory of three small processes. Default: 0. Without a sandbox to start ahead,
   * in passthrough, it does nothing.
   *
   * @param sandboxes 0 to 1,000
   * @throws IllegalArgumentException if it is less or more
   */
  public final B warm(int sandboxes) {
    if (sandboxes < 0 || sandboxes > SandboxPolicy.MOST_WARM) {
      throw new IllegalArgumentException(
          "warm: "
              + sandboxes
              + " sandboxes kept ahead? From 0 to "
              + SandboxPolicy.MOST_WARM
              + "; about as many as commands start at once are enough");
    }
    warm = sandboxes;
    return self();
  }
}
