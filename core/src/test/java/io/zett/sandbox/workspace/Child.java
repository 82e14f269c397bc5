package io.zett.sandbox.workspace;

import io.zett.sandbox.faults.InterposedPosix;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What a second process does to the same files; also how the tests start and talk to it. */
final class Child implements AutoCloseable {

  private final Process process;

  private Child(Process process) {
    this.process = process;
  }

  /** A JVM that does this; {@code wrapper} goes before the java command. */
  static Child start(List<String> wrapper, List<String> jvm, String... arguments) {
    List<String> command = new ArrayList<>(wrapper);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
    command.add("-XX:+UseSerialGC");
    command.addAll(jvm);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
    command.addAll(List.of(arguments));
    return program(command);
  }

  static Child start(String... arguments) {
    return start(List.of(), List.of(), arguments);
  }

  static Child program(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("LC_ALL", "C");
    try {
      return new Child(builder.start());
    } catch (IOException e) {
      throw new AssertionError(command.toString(), e);
    }
  }

  /** Its next line; null at its end. */
  String line() {
    StringBuilder line = new StringBuilder();
    try {
      InputStream out = process.getInputStream();
      for (int c = out.read(); c >= 0 && c != '\n'; c = out.read()) {
        line.append((char) c);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return line.toString();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Lets it go on, waits for its end, and gives its exit status. */
  int end() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        throw new AssertionError("still running");
      }
      return process.exitValue();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      kill();
    }
  }

  @Override
  public void close() {
    kill();
  }

  /** SIGKILL, and its end. */
  void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public static void main(String[] arguments) throws IOException {
    Posix posix = Posix.system();
    UnixPath path = UnixPath.of(Path.of(arguments[1]));
    switch (arguments[0]) {
      case "delete" -> delete(posix, path);
      case "delete-old-kernel" ->
          delete(InterposedPosix.failing(posix, "openat2", Errno.ENOSYS), path);
      case "private" -> {
        System.out.println(PrivateDirectory.create(posix, path).path());
        awaitEnd();
      }
      case "create" -> create(posix, path, Integer.parseInt(arguments[2]));
      case "hold" -> {
        hold(new Placeholders(posix, UnixPath.of(Path.of(arguments[2]))), path, arguments[3]);
        awaitEnd();
      }
      case "stress" -> {
        Placeholders all = new Placeholders(posix, UnixPath.of(Path.of(arguments[2])));
        stress(all, path, arguments[3], Integer.parseInt(arguments[4]));
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static void delete(Posix posix, UnixPath path) {
    int parent = Folders.open(posix, path.parent());
    Deletion deletion = TreeDeletion.delete(posix, parent, path.name(), path);
    deletion.remaining().forEach(System.out::println);
    System.out.println("removed " + deletion.removed());
  }

  /** Makes and deletes private directories; each must stay whole while it is held. */
  private static void create(Posix posix, UnixPath parent, int rounds) {
    for (int i = 0; i < rounds; i++) {
      PrivateDirectory made = PrivateDirectory.create(posix, parent);
      boolean whole =
          posix.lstat(made.workspace()) != null
              && posix.lstat(made.run()) != null
              && posix.lstat(made.path().resolve("lock")) != null;
      if (!whole || !made.delete().complete()) {
        throw new AssertionError("swept while it was held: " + made);
      }
    }
    System.out.println("done");
  }

  private static void hold(Placeholders placeholders, UnixPath path, String kind) {
    Optional<Placeholder> held = placeholders.acquire(path, kind.equals("directory"));
    System.out.println(held.isPresent() ? "held" : "real");
  }

  /** While it is held, it must not be taken away by anybody else. */
  private static void stress(Placeholders all, UnixPath path, String kind, int rounds) {
    int real = 0;
    int gone = 0;
    for (int i = 0; i < rounds; i++) {
      Optional<Placeholder> held = all.acquire(path, kind.equals("directory"));
      if (held.isEmpty()) {
        real++;
        continue;
      }
      Thread.onSpinWait();
      if (!held.get().isIntact()) {
        gone++;
      }
      held.get().close();
    }
    System.out.println("real " + real + " gone " + gone);
  }

  private static void awaitEnd() throws IOException {
    while (System.in.read() >= 0) {}
  }
}
