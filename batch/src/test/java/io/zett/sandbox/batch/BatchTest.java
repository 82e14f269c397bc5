package io.zett.sandbox.batch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of all kinds, through real sandboxes. */
@Timeout(120)
class BatchTest {
  private static final SandboxPolicy POLICY =
      SandboxPolicy.builder().timeout(Duration.ofSeconds(30)).build();

  private static Job job(String id, String text) {
    return Job.of(id, SandboxCommand.shell(text));
  }

  private static Map<String, JobResult> run(SandboxPolicy policy, int parallel, List<Job> jobs) {
    Map<String, JobResult> results = new HashMap<>();
    boolean complete =
        new Batch(policy, parallel)
            .run(
                jobs.iterator(),
                result -> assertThat(results.put(result.id(), result)).as(result.id()).isNull());
    assertThat(complete).isTrue();
    assertThat(results).hasSize(jobs.size());
    return results;
  }

  private static SandboxResult ran(JobResult result) {
    return result.result().orElseThrow(() -> new AssertionError(result.toString()));
  }

  @Test
  void eachJobHasAWorkspaceOfItsOwnWithItsFiles() {
    List<Job> jobs =
        IntStream.range(0, 20)
            .mapToObj(
                i ->
                    job("job" + i, "cat in/data; cat; ls | wc -l; echo made > out; mkdir d")
                        .file("in/data", ("data " + i + "\n").getBytes(UTF_8))
                        .collect("out")
                        .collect("none")
                        .collect("d"))
            .map(job -> job)
            .toList();
    Map<String, JobResult> results = run(POLICY, 4, jobs);
    for (int i = 0; i < 20; i++) {
      JobResult result = results.get("job" + i);
      assertThat(ran(result).stdout()).isEqualTo("data " + i + "\n1\n");
      assertThat(result.files()).containsOnlyKeys("out");
      assertThat(result.files().get("out")).asString().isEqualTo("made\n");
      assertThat(result.fileErrors()).containsOnlyKeys("none", "d");
      assertThat(result.fileErrors().get("none")).contains("none");
    }
  }

  @Test
  void whateverAJobDoesItHasAResult() {
    SandboxPolicy limited = POLICY.toBuilder().processes(60).timeout(Duration.ofSeconds(5)).build();
    Map<String, JobResult> results =
        run(
            limited,
            3,
            List.of(
                job("right", "echo 42"),
                job("wrong", "exit 3"),
                job("crash", "kill -SEGV $$"),
                job("loop", "while :; do :; done").cpuSeconds(1),
                job("sleeper", "sleep 60 & sleep 60"),
                job("hog", "x=$(head -c 400M /dev/zero | tr '\\0' x); echo on").memory(64 << 20),
                job("bomb", "f() { f | f & }; f; sleep 1; echo on"),
                job("flood", "yes"),
                Job.of("none", SandboxCommand.of("no-such-program")),
                Job.of("nowhere", SandboxCommand.of("true").cwd(Path.of("no/such"))),
                job("unusable", "true").file("a/b", new byte[0]).file("a", new byte[0])));
    assertThat(ran(results.get("right")).stdout()).isEqualTo("42\n");
    assertThat(ran(results.get("wrong")).exitCode()).isEqualTo(3);
    assertThat(ran(results.get("crash")).exitCode()).isEqualTo(139);
    assertThat(ran(results.get("loop")).outcome())
        .isEqualTo(new Outcome.LimitExceeded(Limit.CPU_SECONDS));
    assertThat(ran(results.get("sleeper")).timedOut()).isTrue();
    assertThat(ran(results.get("hog")).outcome())
        .isEqualTo(new Outcome.LimitExceeded(Limit.MEMORY));
    assertThat(results.get("bomb").result()).isPresent();
    assertThat(ran(results.get("flood")).stdoutTruncated()).isTrue();
    assertThat(ran(results.get("flood")).timedOut()).isTrue();
    assertThat(ran(results.get("none")).exitCode()).isEqualTo(127);
    assertThat(results.get("nowhere").failure())
        .hasValueSatisfying(e -> assertThat(e).hasMessageContaining("no/such"));
    assertThat(results.get("unusable").failure()).isPresent();
    assertThat(results.get("unusable").result()).isEmpty();
  }

  @Test
  void aHostileWorkspaceGivesNothingOfTheHosts(@TempDir Path host) throws Exception {
    Path secret = Files.writeString(host.resolve("secret"), "SECRET");
    Job job =
        job("thief", "ln -s " + secret + " out; mkfifo pipe; mkdir -p d; ln -s / d/root")
            .collect("out")
            .collect("pipe")
            .collect("d/root/etc/passwd");
    JobResult result = run(POLICY, 1, List.of(job)).get("thief");
    assertThat(result.files()).isEmpty();
    assertThat(result.fileErrors()).containsOnlyKeys("out", "pipe", "d/root/etc/passwd");
  }

  @Test
  void aJobThatIsEndedForADeniedPathIsAResultAndEndsNoOther(@TempDir Path host) throws Exception {
    Path denied = Files.writeString(host.resolve("denied"), "SECRET");
    Path started = host.resolve("started");
    SandboxPolicy policy = POLICY.toBuilder().denyRead(denied).writable(host).build();
    Thread remover =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    while (!Files.exists(started)) {
                      Thread.sleep(10);
                    }
                    Files.delete(denied);
                  } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
    Map<String, JobResult> results =
        run(
            policy,
            1,
            List.of(job("ended", "echo out; : > " + started + "; sleep 60"), job("after", "true")));
    remover.join();
    assertThat(ran(results.get("ended")).outcome()).isInstanceOf(Outcome.Canceled.class);
    assertThat(ran(results.get("ended")).stdout()).isEqualTo("out\n");
    assertThat(ran(results.get("after")).succeeded()).isTrue();
  }

  @Test
  void noMoreJobsAreTakenThanRun() {
    List<String> order = new ArrayList<>();
    Iterator<Integer> numbers = IntStream.range(0, 10).iterator();
    Iterator<Job> jobs =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return numbers.hasNext();
          }

          @Override
          public Job next() {
            int number = numbers.next();
            synchronized (order) {
              order.add("taken " + number);
            }
            return job("job" + number, "true");
          }
        };
    new Batch(POLICY, 1)
        .run(
            jobs,
            result -> {
              synchronized (order) {
                order.add("ended " + result.id().substring(3));
              }
            });
    assertThat(order)
        .isEqualTo(
            IntStream.range(0, 10)
                .boxed()
                .flatMap(i -> List.of("taken " + i, "ended " + i).stream())
                .toList());
  }

  @Test
  void cancelingEndsWhatRunsAndTheRestHasNoResult() throws Exception {
    Batch batch = new Batch(POLICY, 2);
    List<String> ended = new ArrayList<>();
    CountDownLatch first = new CountDownLatch(1);
    List<Job> jobs =
        List.of(job("a", "true"), job("b", "sleep 600"), job("c", "sleep 600"), job("d", "true"));
    Thread canceler =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    first.await();
                    batch.cancel();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    boolean complete =
        batch.run(
            jobs.iterator(),
            result -> {
              ended.add(result.id());
              first.countDown();
            });
    canceler.join();
    assertThat(complete).isFalse();
    assertThat(ended).containsExactly("a");
    assertThatThrownBy(() -> batch.run(jobs.iterator(), _ -> {}))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whatTheConsumerThrowsEndsTheBatch() {
    Batch batch = new Batch(POLICY, 2);
    assertThatThrownBy(
            () ->
                batch.run(
                    List.of(job("a", "true"), job("b", "sleep 600")).iterator(),
                    result -> {
                      throw new IllegalArgumentException("full");
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("full");
  }

  @Test
  void badJobsAreRefusedWhenTheyAreMade() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> job("", "true"))
        .withMessageContaining("id");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Job.of("x", SandboxCommand.of("true").checked()))
        .withMessageContaining("checked");
    for (String path : List.of("", "/etc/passwd", "../x", "a/../../x", "a\0b")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> job("x", "true").file(path, new byte[0]))
          .withMessageContaining("src/main.py");
      assertThatIllegalArgumentException().isThrownBy(() -> job("x", "true").collect(path));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Batch(POLICY, 0))
        .withMessageContaining("parallel: 0");
  }
}
