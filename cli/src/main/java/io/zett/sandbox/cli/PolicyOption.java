package io.zett.sandbox.cli;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One option of {@code zett run} that is an option of the policy too: how it is typed, what people
 * read about it, and what it does to the policy.
 *
 * @param name as typed, with its dashes
 * @param label what its value is called in the help; null for a flag
 * @param isPath whether completion offers files
 * @param words the values that completion offers
 * @param text for the help
 * @param apply sets it; flags are given an empty value
 */
record PolicyOption(
    String name,
    @Nullable String label,
    boolean isPath,
    List<String> words,
    String text,
    BiConsumer<SandboxPolicy.Builder, String> apply) {

  private static final Set<String> ON_FILES =
      Set.of(
          "--writable",
          "--deny-write",
          "--deny-read",
          "--allow-read",
          "--home",
          "--protect-developer-files",
          "--network",
          "--backend");

  /** All of them, in the order of the help. */
  static final List<PolicyOption> ALL =
      List.of(
          value(
              "--memory",
              "SIZE",
              "Memory that the command and everything it starts may use together, such as 512MB"
                  + " (10^6) or 1.5G (2^30).",
              SandboxPolicy.Builder::memory),
          value(
              "--cpus",
              "N",
              "Share of processors, in cores, such as 1.5.",
              (policy, text) -> policy.cpus(Numbers.decimal(text))),
          value(
              "--cpu-seconds",
              "N",
              "Total processor time of the whole tree; sleeping costs none.",
              (policy, text) -> policy.cpuSeconds(Numbers.whole(text))),
          value(
              "--processes",
              "N",
              "Processes that the command may add (8 or more).",
              (policy, text) -> policy.processes(Numbers.small(text))),
          value(
              "--max-file-size",
              "SIZE",
              "Largest file that any process may create.",
              SandboxPolicy.Builder::maxFileSize),
          value(
              "--open-files",
              "N",
              "Descriptors that a process may hold open (16 or more).",
              (policy, text) -> policy.openFiles(Numbers.small(text))),
          value(
              "--scratch-size",
              "SIZE",
              "Bound of /tmp, /var/tmp, /dev/shm and a private home. Default: the memory limit,"
                  + " else 1G.",
              SandboxPolicy.Builder::scratchSize),
          value(
              "--timeout",
              "SECONDS|none",
              "Wall time from the command's first instruction, such as 2.5; then everything it"
                  + " started is ended. Default: none.",
              PolicyOption::timeout),
          flag(
              "--network",
              "Lets the command use the network. Default: it has none.",
              policy -> policy.network(true)),
          flag(
              "--block-unix-sockets",
              "Refuses Unix sockets altogether, also those that appear on the host later. The"
                  + " command cannot make its own either; socket pairs work. Default: those that"
                  + " listen when it starts are hidden.",
              policy -> policy.blockUnixSockets(true)),
          flag(
              "--protect-developer-files",
              "Keeps files unwritable that the host executes or obeys by itself: git's hooks and"
                  + " configuration, editor tasks, shell start-up files, agents' settings. Slows the"
                  + " start. Default: off.",
              SandboxPolicy.Builder::protectDeveloperFiles),
          path(
              "--writable",
              "DIR",
              "A further directory that the command may write; it must exist.",
              SandboxPolicy.Builder::writable),
          path(
              "--deny-write",
              "PATH",
              "Stays unwritable even inside a writable directory, whether it exists or not.",
              SandboxPolicy.Builder::denyWrite),
          path(
              "--deny-read",
              "PATH",
              "Can be neither read nor written, whether it exists or not. Credentials are so"
                  + " already.",
              SandboxPolicy.Builder::denyRead),
          path(
              "--allow-read",
              "PATH",
              "Gives a path of the built-in list of credentials back.",
              SandboxPolicy.Builder::allowRead),
          choice(
              "--home",
              "host|private",
              List.of("host", "private"),
              "host (default): your home directory, readable, credentials hidden. private: an empty"
                  + " one that can be written and disappears.",
              (policy, text) -> policy.home(HomeMode.of(text))),
          choice(
              "--backend",
              "NAME",
              List.of("auto", "bubblewrap", "seatbelt", "passthrough"),
              "auto (default), bubblewrap, seatbelt, or passthrough, which isolates nothing.",
              (policy, text) -> policy.backend(SandboxBackend.of(text))),
          flag(
              "--require-isolation",
              "Refuses to run where nothing would isolate the command.",
              policy -> policy.requireIsolation(true)),
          choice(
              "--memory-strategy",
              "NAME",
              List.of("auto", "cgroup", "watchdog", "rlimit"),
              "How the memory limit is kept: auto (default), cgroup, watchdog or rlimit.",
              (policy, text) -> policy.memoryStrategy(MemoryStrategy.of(text))));

  /** Those that decide what a command can do with files, in the order of the help. */
  static List<PolicyOption> onFiles() {
    return ALL.stream().filter(option -> ON_FILES.contains(option.name)).toList();
  }

  /** Sets it; an error names the option as it was typed. */
  void applyTo(SandboxPolicy.Builder policy, String value) {
    try {
      apply.accept(policy, value);
    } catch (IllegalArgumentException e) {
      throw new UsageException(name + ": " + inOurWords(String.valueOf(e.getMessage())));
    }
  }

  /** The library calls the option {@code maxFileSize}; whoever reads this typed another name. */
  private String inOurWords(String message) {
    StringBuilder builderName = new StringBuilder();
    for (String word : name.substring(2).split("-", -1)) {
      builderName.append(
          builderName.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
    }
    String unprefixed =
        message.startsWith(builderName + ": ")
            ? message.substring(builderName.length() + 2)
            : message;
    return unprefixed.replace("leave " + builderName + " out", "leave it out");
  }

  private static void timeout(SandboxPolicy.Builder policy, String text) {
    if (text.equals("none")) {
      policy.noTimeout();
    } else {
      policy.timeout(Numbers.seconds(text));
    }
  }

  private static PolicyOption value(
      String name, String label, String text, BiConsumer<SandboxPolicy.Builder, String> apply) {
    return new PolicyOption(name, label, false, List.of(), text, apply);
  }

  private static PolicyOption choice(
      String name,
      String label,
      List<String> words,
      String text,
      BiConsumer<SandboxPolicy.Builder, String> apply) {
    return new PolicyOption(name, label, false, words, text, apply);
  }

  private static PolicyOption path(
      String name, String label, String text, BiConsumer<SandboxPolicy.Builder, Path> apply) {
    return new PolicyOption(
        name,
        label,
        true,
        List.of(),
        text + " Can be given again.",
        (policy, path) -> apply.accept(policy, CallerPath.of(path)));
  }

  private static PolicyOption flag(
      String name, String text, Consumer<SandboxPolicy.Builder> apply) {
    return new PolicyOption(
        name, null, false, List.of(), text, (policy, none) -> apply.accept(policy));
  }
}
