package io.zett.sandbox.soak;

import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCommand;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Commands that leave things behind, refuse to end or take too much; each is bounded by itself. */
final class HostileTasks {
  /** The name of the one that takes much memory until its limit ends it. */
  static final String HOG = "a memory hog";

  private static final Duration AMPLE = Duration.ofSeconds(120);
  private static final int FLOOD = 8 << 20;
  private static final int KEPT = 1_000;
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Random random;
  private final String sleep;

  /** Tasks that take their turns by this random; the shell text is of a sleep of ten minutes. */
  HostileTasks(Random random, String sleep) {
    this.random = random;
    this.sleep = sleep;
  }

  /** How many kinds there are. */
  static final int KINDS = 10;

  /** One of this kind, 0 to {@link #KINDS} exclusive, that this session bears. */
  Task of(int kind, SessionKind session) {
    return switch (kind) {
      case 0 -> daemon();
      case 1 -> deaf();
      case 2 -> stopped();
      case 3 -> flood();
      case 4 -> unread();
      case 5 -> held();
      case 6 -> session.isPrivate() ? manyFiles() : killed();
      case 7 -> session.isPrivate() ? deepTrees() : killed();
      case 8 -> session.isLimited() ? hog() : daemon();
      default -> session.isLimited() ? bomb() : held();
    };
  }

  private Task daemon() {
    String text = "( setsid sh -c '( setsid " + sleep + " & )' & ); echo up";
    return exits("a daemon", shell(text), 0, "up\n");
  }

  private Task deaf() {
    String text = "trap '' TERM INT HUP QUIT; echo deaf; " + sleep + "; " + sleep;
    return late("signals ignored", text, "deaf\n");
  }

  private Task stopped() {
    String text = sleep + " & kill -STOP $!; echo stopped; kill -STOP $$";
    return late("stopped processes", text, "stopped\n");
  }

  private Task flood() {
    Written yes = new Written("y\n".repeat(KEPT).getBytes(), FLOOD);
    String text = "yes | head -c %1$d & yes | head -c %1$d >&2; wait".formatted(FLOOD);
    return task("a flood", shell(text).maxOutputBytes(KEPT), exited(0), yes, yes);
  }

  /** It closes its input, or leaves it, while we still have much to say. */
  private Task unread() {
    String text = random.nextBoolean() ? "echo unread" : "exec <&-; sleep 0.05; echo unread";
    return exits("unread input", shell(text).input(new byte[3_000_000]), 0, "unread\n");
  }

  private Task held() {
    String text = sleep + " & " + sleep + " >&2 & echo held; exit 5";
    return exits("a pipe held open", shell(text), 5, "held\n");
  }

  private Task killed() {
    Outcome killed = new Outcome.Signaled(9);
    String text = sleep + " & kill -KILL $$";
    return task("killed by itself", shell(text), killed::equals, Written.all(""), null);
  }

  private Task manyFiles() {
    String text =
        """
        fill() {
          mkdir files-%1$d && cd files-%1$d || exit 1
          i=0; while [ $i -lt 400 ]; do : >"f$i"; i=$((i + 1)); done
          ln -s / root; mkfifo fifo; mkdir "$(printf '\\377')" none
          : >none/f; chmod 000 none; chmod 500 .
        }
        (fill); cd /tmp && (fill); echo filled
        """
            .formatted(NUMBER.incrementAndGet());
    return exits("many files", shell(text), 0, "filled\n");
  }

  /** Deeper than a path can be long. */
  private Task deepTrees() {
    String text =
        """
        deep=$(printf 'a-long-name-for-one-level/%%.0s' $(seq 100))
        dig() {
          mkdir deep-%1$d && cd deep-%1$d || exit 1
          for i in 1 2 3; do mkdir -p "$deep" && cd "$deep" || exit 1; done
          chmod 000 .
        }
        (dig); cd /tmp && (dig); echo dug
        """
            .formatted(NUMBER.incrementAndGet());
    return exits("deep trees", shell(text), 0, "dug\n");
  }

  /** Twice the memory that its session has, held until the limit ends it. */
  private Task hog() {
    String text = "head -c 192m /dev/zero | tail -n 1 | (sleep 60; wc -c)";
    Outcome over = new Outcome.LimitExceeded(Limit.MEMORY);
    return task(HOG, shell(text), over::equals, Written.all(""), null);
  }

  /** The shell gives up when it is refused a process, or a watchdog ends it. */
  private Task bomb() {
    String text = "i=0; while [ $i -lt 100 ]; do " + sleep + " & i=$((i + 1)); done; echo all";
    Outcome over = new Outcome.LimitExceeded(Limit.PROCESSES);
    Predicate<Outcome> refused = exited(2).or(over::equals);
    return task("a process bomb", shell(text), refused, Written.all(""), null);
  }

  private Task late(String name, String text, String stdout) {
    Duration limit = Duration.ofMillis(50 + random.nextInt(400));
    SandboxCommand command = SandboxCommand.shell(text).timeout(limit);
    return task(name, command, new Outcome.TimedOut(limit)::equals, Written.all(stdout), null);
  }

  private static Task exits(String name, SandboxCommand command, int code, String stdout) {
    return task(name, command, exited(code), Written.all(stdout), null);
  }

  private static Predicate<Outcome> exited(int code) {
    return new Outcome.Exited(code)::equals;
  }

  private static SandboxCommand shell(String text) {
    return SandboxCommand.shell(text).timeout(AMPLE);
  }

  private static Task task(
      String name,
      SandboxCommand command,
      Predicate<Outcome> ends,
      Written stdout,
      @Nullable Written stderr) {
    return new Task(name, true, command, ends, stdout, stderr, null);
  }
}
