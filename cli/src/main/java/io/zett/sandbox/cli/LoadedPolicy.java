package io.zett.sandbox.cli;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.policyfile.PolicyFile;
import io.zett.sandbox.policyfile.PolicyFileException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * The file that {@code --policy} names. The one class that knows the reader of such files, so that
 * a command without one loads nothing of it.
 *
 * @param name the file as it was typed
 * @param path the same, absolute
 */
record LoadedPolicy(String name, Path path, PolicyFile file) {

  static LoadedPolicy of(String name, Function<String, Optional<String>> hostVariable) {
    Path path = PolicyArguments.path("--policy", name);
    try {
      PolicyFile file = PolicyFile.read(path, home(hostVariable));
      return new LoadedPolicy(name, absolute(path), file);
    } catch (PolicyFileException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    } catch (NoSuchFileException e) {
      throw new UsageException("--policy: " + name + " does not exist");
    } catch (AccessDeniedException e) {
      throw new UsageException("--policy: " + name + " cannot be read by this user");
    } catch (IOException e) {
      throw new UsageException("--policy: " + name + ": " + e.getMessage());
    }
  }

  /** The JSON schema of such files. */
  static String schema() {
    return PolicyFile.schema();
  }

  /** What it says on top of another policy. */
  SandboxPolicy over(SandboxPolicy base) {
    return file.over(base);
  }

  /** A command that may write where the file is could give the next one another policy. */
  void protectIn(SandboxPolicy.Builder policy) {
    if (Files.isRegularFile(path)) {
      policy.denyWrite(path);
    }
  }

  /**
   * Denying it does not help where the file is reached by a link that the command can replace.
   *
   * @param writable the directories that the command may write
   * @throws UsageException if there is such a link
   */
  void refuseReplaceable(List<Path> writable) {
    if (!Files.isRegularFile(path)) {
      return;
    }
    Path directory = path.getRoot();
    for (Path component : path.normalize()) {
      Path at = directory.resolve(component);
      if (Files.isSymbolicLink(at) && isIn(writable, directory)) {
        throw new UsageException(
            "--policy: "
                + name
                + " is reached by the link "
                + at
                + ", which the command could replace",
            "name the file itself: --policy " + real(path));
      }
      directory = at;
    }
  }

  private static boolean isIn(List<Path> directories, Path directory) {
    Path place = real(directory);
    return directories.stream().anyMatch(each -> place.startsWith(real(each)));
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize();
    }
  }

  /** Whether a rule is the one that protects the file. */
  boolean isItself(Path rule) {
    return rule.equals(path.normalize());
  }

  /** Where a path stands in it, such as {@code sandbox.yaml:7}. */
  Optional<String> place(String option, Path path) {
    OptionalInt line = file.line(option, path);
    return line.isPresent() ? Optional.of(name + ":" + line.getAsInt()) : Optional.empty();
  }

  /** Through the kernel's own directories, of which a sandbox has others, as the file itself. */
  private static Path absolute(Path path) throws IOException {
    Path absolute = path.toAbsolutePath();
    boolean isKernels = absolute.startsWith("/proc") || absolute.startsWith("/dev");
    return isKernels && Files.isRegularFile(path) ? path.toRealPath() : absolute;
  }

  /** What a shell takes {@code ~} for. */
  private static Path home(Function<String, Optional<String>> hostVariable) {
    return hostVariable
        .apply("HOME")
        .filter(home -> home.startsWith("/"))
        .map(home -> PolicyArguments.path("HOME", home))
        .orElseGet(() -> Path.of(System.getProperty("user.home")));
  }
}
