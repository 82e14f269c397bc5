package io.zett.sandbox.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.backend.Launch;
import io.zett.sandbox.host.ViewedRule;
import io.zett.sandbox.posix.LaunchDescriptors;
import io.zett.sandbox.rules.PathRule.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What bubblewrap is given for a policy, for others to start it with: the same namespaces, mounts
 * and seccomp program, but its own first process in place of {@code zett-init}.
 *
 * <p>The mounts lead to files of a sandbox of its own, which is there until this is closed.
 */
public final class BubblewrapLaunch implements AutoCloseable {
  /** Asks bubblewrap to let the program be the first process. */
  private static final String WITHOUT_OWN_REAPER = "--as-pid-1";

  private final Opened opened;
  private final Launch launch;
  private final List<String> words;

  private BubblewrapLaunch(Opened opened, Launch launch) {
    this.opened = opened;
    this.launch = launch;
    byte[] arguments = Objects.requireNonNull(launch.arguments(), "no backend with arguments");
    this.words =
        Arrays.stream(new String(arguments, UTF_8).split("\0"))
            .filter(word -> !word.equals(WITHOUT_OWN_REAPER))
            .toList();
  }

  /** Opens a sandbox with a private workspace, and plans one command in it. */
  public static BubblewrapLaunch of(SandboxPolicy policy) {
    Opened opened = Opening.open(policy, null, BackendChoice.make(policy));
    boolean done = false;
    try {
      BubblewrapLaunch launch = new BubblewrapLaunch(opened, Preparation.rehearse(opened));
      done = true;
      return launch;
    } finally {
      if (!done) {
        opened.close();
      }
    }
  }

  /** The launcher's path. */
  public String program() {
    return launch.program().toString();
  }

  /** All options but the one that names the seccomp program's descriptor. */
  public List<String> optionsWithoutSeccomp() {
    int at = words.indexOf("--seccomp");
    return Stream.concat(
            words.subList(0, at).stream(), words.subList(at + 2, words.size()).stream())
        .toList();
  }

  /** How many mounts there are. */
  public long mounts() {
    return words.stream().filter(word -> word.endsWith("bind") || word.equals("--tmpfs")).count();
  }

  /** Writes what {@code --args} reads. */
  public Path writeArguments(Path file) throws IOException {
    return Files.writeString(file, String.join("\0", words) + '\0');
  }

  /** Writes what {@code --seccomp} reads. */
  public Path writeSeccomp(Path file) throws IOException {
    return Files.write(file, Objects.requireNonNull(launch.seccomp(), "no seccomp program"));
  }

  /** The descriptor that {@code --args} has to name. */
  public static int argumentsDescriptor() {
    return LaunchDescriptors.ARGUMENTS;
  }

  /** The descriptor that the arguments name for the seccomp program. */
  public static int seccompDescriptor() {
    return LaunchDescriptors.SECCOMP;
  }

  /** The credentials that this policy hides on this machine. */
  public List<Path> credentials() {
    return opened.survey().look().rules().stream()
        .filter(rule -> rule.kind() == Kind.CREDENTIAL)
        .map(ViewedRule::at)
        .map(at -> at.real().toPath())
        .distinct()
        .toList();
  }

  @Override
  public void close() {
    opened.close();
  }
}
