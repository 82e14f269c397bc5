package io.zett.sandbox.soak;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCommand;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** Commands that write checksummed streams, of which nothing may be missing. */
final class HonestTasks {
  /** Far above what any of them takes on a busy machine. */
  private static final Duration AMPLE = Duration.ofSeconds(120);

  private static final long ALL = 64 << 20;
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Random random;
  private final String sleep;

  /** Tasks that take their turns by this random; the shell text is of a sleep of ten minutes. */
  HonestTasks(Random random, String sleep) {
    this.random = random;
    this.sleep = sleep;
  }

  /** How many kinds there are. */
  static final int KINDS = 6;

  /** One of this kind, 0 to {@link #KINDS} exclusive. */
  Task of(int kind) {
    return switch (kind) {
      case 0 -> both();
      case 1 -> echo();
      case 2 -> merged();
      case 3 -> capped();
      case 4 -> slow();
      default -> late();
    };
  }

  /** Both streams at once. */
  private Task both() {
    Numbers out = numbers();
    Numbers err = numbers();
    int code = random.nextInt(126);
    String text = "(" + out.shell() + ") & (" + err.shell() + ") >&2; wait; exit " + code;
    return task("both streams", shell(text), code, all(out), all(err));
  }

  /** Its input, and the checksum of what it read. */
  private Task echo() {
    byte[] input = new byte[random.nextInt(random.nextInt(8) == 0 ? 1_000_000 : 20_000)];
    random.nextBytes(input);
    String sum = Numbers.checksum(input);
    SandboxCommand command = shell("tee /tmp/copy; sha256sum </tmp/copy >&2");
    boolean isStream = random.nextBoolean();
    return task(
        isStream ? "echo of a stream" : "echo of bytes",
        isStream ? command.input(new ByteArrayInputStream(input)) : command.input(input),
        0,
        Written.all(input),
        Written.all(sum));
  }

  /** Both streams in one, by turns. */
  private Task merged() {
    Numbers first = numbers();
    Numbers second = numbers();
    byte[] one = first.bytes();
    byte[] two = second.bytes();
    byte[] together = new byte[one.length + two.length];
    System.arraycopy(one, 0, together, 0, one.length);
    System.arraycopy(two, 0, together, one.length, two.length);
    SandboxCommand command = shell(first.shell() + "; (" + second.shell() + ") >&2").mergeStderr();
    return task("merged streams", command, 0, Written.all(together), Written.all(""));
  }

  /** More than is kept. */
  private Task capped() {
    Numbers out = numbers();
    Numbers err = numbers();
    SandboxCommand command =
        shell(out.shell() + "; (" + err.shell() + ") >&2").maxOutputBytes(random.nextInt(10_000));
    return task("capped streams", command, 0, all(out), all(err));
  }

  /** In pieces, with pauses. */
  private Task slow() {
    Numbers out = Numbers.some(random, 500);
    String text =
        "for i in $(seq %d %d); do echo $i; [ $((i %% 50)) -gt 0 ] || sleep 0.01; done; seq %1$d %2$d | sha256sum"
            .formatted(out.first(), out.last());
    return task("a slow stream", shell(text), 0, all(out), Written.all(""));
  }

  /** Everything, and then it waits for its time limit. */
  private Task late() {
    Numbers out = Numbers.some(random, 3_000);
    Path done = Path.of("done-" + NUMBER.incrementAndGet());
    Duration limit = Duration.ofMillis(20 + random.nextInt(500));
    return new Task(
        "a time limit",
        false,
        shell(out.shell() + "; : >" + done + "; " + sleep).timeout(limit),
        new Outcome.TimedOut(limit)::equals,
        all(out),
        Written.all(""),
        done);
  }

  private Numbers numbers() {
    return Numbers.some(random, random.nextInt(16) == 0 ? 200_000 : 2_000);
  }

  private static Written all(Numbers numbers) {
    return Written.all(numbers.bytes());
  }

  private static SandboxCommand shell(String text) {
    return SandboxCommand.shell(text).timeout(AMPLE).maxOutputBytes(ALL);
  }

  private static Task task(
      String name, SandboxCommand command, int code, Written stdout, Written stderr) {
    return new Task(name, false, command, new Outcome.Exited(code)::equals, stdout, stderr, null);
  }
}
