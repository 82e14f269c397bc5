package io.zett.sandbox.policyfile;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.NetworkMode;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxPolicy.Builder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The keys of a policy file: those of the policy's builder, spelled the same.
 *
 * <p>From this table come the reader and the JSON schema.
 */
enum Key {
  MEMORY(
      "memory",
      "Memory that a command and everything it starts may use together: bytes, or a size such as"
          + " 512MB (10^6) or 1.5G (2^30). Default: no limit.",
      new Kind.Size(4L << 20, Builder::memory, Builder::memory)),
  CPUS("cpus", "Share of processors, in cores. Default: no limit.", new Kind.Cores(Builder::cpus)),
  CPU_SECONDS(
      "cpuSeconds",
      "Total processor time of a command's whole tree. Default: no limit.",
      new Kind.Count(1, 1_000_000_000, Builder::cpuSeconds)),
  PROCESSES(
      "processes",
      "Processes that a command may add. Default: no limit.",
      Kind.Count.of(8, 1 << 22, Builder::processes)),
  MAX_FILE_SIZE(
      "maxFileSize",
      "Largest file that any process of a command may create. Default: no limit.",
      new Kind.Size(1, Builder::maxFileSize, Builder::maxFileSize)),
  OPEN_FILES(
      "openFiles",
      "Descriptors that each process may hold open. Default: as the caller's.",
      Kind.Count.of(16, 1_073_741_816, Builder::openFiles)),
  SCRATCH_SIZE(
      "scratchSize",
      "Bound of /tmp, /var/tmp, /dev/shm and a private home, each. Default: the memory limit, or"
          + " 1 GiB without one.",
      new Kind.Size(4096, Builder::scratchSize, Builder::scratchSize)),
  TIMEOUT(
      "timeout",
      "Wall time of each command in seconds, or none. Default: 60.",
      new Kind.Seconds(Builder::timeout, Builder::noTimeout)),
  NETWORK(
      "network",
      "Whether commands have the caller's network. Default: false.",
      new Kind.TruthOrChoice(
          new Kind.Truth(Builder::network),
          choice(
              words(NetworkMode.values()),
              (policy, word) -> policy.network(NetworkMode.of(word))))),
  BLOCK_UNIX_SOCKETS(
      "blockUnixSockets",
      "Refuses Unix sockets altogether, also those that appear later. Default: false.",
      new Kind.Truth(Builder::blockUnixSockets)),
  PROTECT_DEVELOPER_FILES(
      "protectDeveloperFiles",
      "Keeps files unwritable that the host executes or obeys by itself. Default: false.",
      new Kind.Truth(Builder::protectDeveloperFiles)),
  WRITABLE(
      "writable",
      "Further directories that commands may write; they must exist.",
      new Kind.Paths(Builder::writable)),
  DENY_WRITE(
      "denyWrite",
      "Paths that stay unwritable, whether they exist or not.",
      new Kind.Paths(Builder::denyWrite)),
  DENY_READ(
      "denyRead",
      "Paths that can be neither read nor written, whether they exist or not. Credentials are so"
          + " already.",
      new Kind.Paths(Builder::denyRead)),
  ALLOW_READ(
      "allowRead",
      "Paths of the built-in list of credentials that are given back.",
      new Kind.Paths(Builder::allowRead)),
  ENV(
      "env",
      "Variables for every command, on top of those of the host that pass.",
      new Kind.Variables()),
  HOME(
      "home",
      "What commands see as the home directory. Default: host.",
      choice(words(HomeMode.values()), (policy, word) -> policy.home(HomeMode.of(word)))),
  BACKEND(
      "backend",
      "What builds the sandbox; passthrough isolates nothing. Default: auto.",
      choice(
          words(SandboxBackend.values()),
          (policy, word) -> policy.backend(SandboxBackend.of(word)))),
  REQUIRE_ISOLATION(
      "requireIsolation",
      "Refuses to run where nothing would isolate the command. Default: false.",
      new Kind.Truth(Builder::requireIsolation)),
  MEMORY_STRATEGY(
      "memoryStrategy",
      "How the memory limit is kept. Default: auto.",
      choice(
          words(MemoryStrategy.values()),
          (policy, word) -> policy.memoryStrategy(MemoryStrategy.of(word)))),
  MAX_CONCURRENT(
      "maxConcurrent",
      "How many commands of one session run at once. Default: 256.",
      Kind.Count.of(1, Integer.MAX_VALUE, Builder::maxConcurrent)),
  WARM(
      "warm",
      "How many sandboxes are kept started ahead. Default: 0.",
      Kind.Count.of(0, 1000, Builder::warm));

  private final String spelling;
  private final String text;
  private final Kind kind;

  Key(String spelling, String text, Kind kind) {
    this.spelling = spelling;
    this.text = text;
    this.kind = kind;
  }

  /** As it stands in a file. */
  String spelling() {
    return spelling;
  }

  /** What it means, for people. */
  String text() {
    return text;
  }

  /** What can stand after it. */
  Kind kind() {
    return kind;
  }

  static Optional<Key> of(String spelling) {
    return Arrays.stream(values()).filter(key -> key.spelling.equals(spelling)).findFirst();
  }

  static List<String> spellings() {
    return Arrays.stream(values()).map(Key::spelling).toList();
  }

  private static Kind.Choice choice(List<String> words, BiConsumer<Builder, String> set) {
    return new Kind.Choice(words, set);
  }

  private static List<String> words(Enum<?>[] constants) {
    return Arrays.stream(constants)
        .map(constant -> constant.name().toLowerCase(Locale.ROOT))
        .toList();
  }
}
