package io.zett.sandbox.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zett.sandbox.cases.outside.Eventually;
import io.zett.sandbox.posix.LaunchDescriptors;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Real commands under a real launcher, for tests. */
final class Commands implements AutoCloseable {

  /** The two ways a command is launched. */
  enum Launch {
    BUBBLEWRAP,
    PASSTHROUGH
  }

  private static final String BASE =
      "--unshare-all --unshare-user --cap-drop ALL --disable-userns --die-with-parent"
          + " --new-session --ro-bind / / --dev /dev --proc /proc --ro-bind /proc/sys /proc/sys"
          + " --tmpfs /tmp --as-pid-1";

  /** The launchers' name, which theirs alone have, and their children until they are zett-init. */
  final String mark = "zett-test-" + System.nanoTime();

  final Posix posix;
  final EventLoop loop;
  final InitProgram init;

  Commands() {
    this(Posix.system());
  }

  Commands(Posix posix) {
    this.posix = posix;
    loop = EventLoop.start(posix);
    init = InitProgram.load(Posix.system());
  }

  /** What can be varied about a command. */
  final class Builder {
    final Launch launch;
    List<String> argv;
    String directory = "/";
    List<Rlimit> rlimits = List.of();
    List<String> launcherOptions = List.of();
    UnixPath launcher = UnixPath.ofText("/usr/bin/bwrap");
    Input input = new Input.None();
    Sink out = new Capture(1 << 20);
    @Nullable Sink err = new Capture(1 << 20);
    @Nullable Duration timeout = Duration.ofSeconds(60);
    Verifier verifier = Verifier.NONE;
    Duration setupDeadline = Order.SETUP_DEADLINE;

    Builder(Launch launch, String... argv) {
      this.launch = launch;
      this.argv = List.of(argv);
    }

    Builder input(Input value) {
      input = value;
      return this;
    }

    Builder out(Sink value) {
      out = value;
      return this;
    }

    Builder cap(long value) {
      return out(new Capture(value));
    }

    Builder merged() {
      err = null;
      return this;
    }

    Builder timeout(Duration value) {
      timeout = value;
      return this;
    }

    Builder verifier(Verifier value) {
      verifier = value;
      return this;
    }

    Order order() {
      List<Inherited> inherited = new ArrayList<>();
      inherited.add(new Inherited(init.descriptor(), LaunchDescriptors.INIT, false));
      List<String> words = new ArrayList<>(List.of(mark));
      UnixPath program = UnixPath.ofText("/proc/self/fd/" + LaunchDescriptors.INIT);
      if (launch == Launch.BUBBLEWRAP) {
        program = launcher;
        String options =
            Stream.concat(Arrays.stream(BASE.split(" ", -1)), launcherOptions.stream())
                .map(option -> option + "\0")
                .reduce("", String::concat);
        int arguments = Posix.system().sealedFile("arguments", options.getBytes(UTF_8), false);
        inherited.add(new Inherited(arguments, LaunchDescriptors.ARGUMENTS, true));
        words.addAll(List.of("--args", "3", "/proc/self/fd/4", "pid1"));
      } else {
        words.add("reaper");
      }
      words.addAll(List.of("6", "7", "8", "9"));
      return new Order(
          program, bytes(words), inherited, verifier, setupDeadline, launch == Launch.BUBBLEWRAP);
    }

    Job job() {
      StartBlock block =
          new StartBlock(
              bytes(argv),
              bytes(List.of("PATH=/usr/local/bin:/usr/bin:/bin", "V=é")),
              directory.getBytes(UTF_8),
              rlimits);
      return new Job(block, input, out, err, timeout);
    }

    Supervisor start() {
      return Supervisor.start(loop, posix, order(), job());
    }

    Done run() {
      return finish(start());
    }

    Done finish(Supervisor supervisor) {
      return new Done(await(supervisor), text(out), err == null ? "" : text(err));
    }
  }

  /** A command that has ended. */
  record Done(Ending ending, String out, String err) {
    int code() {
      if (ending.how() instanceof Ending.Exited exited) {
        return exited.code();
      }
      throw new AssertionError("not exited but " + ending.how());
    }
  }

  Builder shell(Launch launch, String text) {
    return new Builder(launch, "/bin/sh", "-c", text);
  }

  Builder program(Launch launch, String... argv) {
    return new Builder(launch, argv);
  }

  static Ending await(Supervisor supervisor) {
    try {
      return supervisor.ending().get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("no ending", e);
    }
  }

  static String text(Sink sink) {
    return sink instanceof Capture capture ? new String(capture.bytes(), UTF_8) : "";
  }

  private static List<byte[]> bytes(List<String> words) {
    return words.stream().map(word -> word.getBytes(UTF_8)).toList();
  }

  /** Open descriptors of this JVM. */
  static List<String> descriptors() {
    try (var list = Files.list(Path.of("/proc/self/fd"))) {
      List<String> open = new ArrayList<>();
      for (Path fd : list.toList()) {
        try {
          open.add(fd.getFileName() + " " + Files.readSymbolicLink(fd));
        } catch (IOException gone) {
          // the one that listed
        }
      }
      return open;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Children of this JVM, dead ones too. */
  static List<String> children() {
    List<String> all = new ArrayList<>();
    try (var threads = Files.list(Path.of("/proc/self/task"))) {
      for (Path thread : threads.toList()) {
        try {
          String listed = Files.readString(thread.resolve("children")).strip();
          if (!listed.isEmpty()) {
            all.addAll(List.of(listed.split(" ", -1)));
          }
        } catch (IOException gone) {
          // the thread has ended
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }

  /**
   * Fails when a process of these commands is left. An orphan that has been killed, or exits by
   * itself, is seen until the kernel is done with it, and whoever adopted it is told and not we.
   */
  void assertNothingRuns() {
    loop.awaitLeaving();
    Eventually.within(
        Duration.ofSeconds(5),
        () -> "no process is left: " + children() + " " + mark,
        () -> children().isEmpty() && !isRunning(mark));
  }

  /** Whether any process of this machine has an argument that contains the text. */
  static boolean isRunning(String text) {
    try (var processes = Files.list(Path.of("/proc"))) {
      for (Path process : processes.toList()) {
        try {
          if (process.getFileName().toString().matches("\\d+")
              && new String(
                      Posix.system().readFile(UnixPath.of(process).resolve("cmdline"), 1 << 16),
                      UTF_8)
                  .contains(text)) {
            return true;
          }
        } catch (PosixException gone) {
          // it has ended
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    loop.close();
    init.close();
  }
}
