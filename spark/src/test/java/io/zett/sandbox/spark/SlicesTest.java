package io.zett.sandbox.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.batch.Job;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SlicesTest {
  private static final int AT_ONCE = 4;

  private static Slices of(Stream<Job> jobs) {
    Slices slices = new Slices(() -> AT_ONCE);
    slices.fill(jobs.iterator());
    return slices;
  }

  private static Stream<Job> jobs(int count) {
    return IntStream.range(0, count).mapToObj(i -> Job.of("job" + i, SandboxCommand.of("true")));
  }

  private static List<JobSpec> next(Slices slices) throws InterruptedException {
    List<JobSpec> slice = slices.next();
    return slice == null ? List.of() : slice;
  }

  @Test
  void theyBecomeSmallerTowardsTheEndAndHoldEachJobOnce() throws Exception {
    Slices slices = of(jobs(200));
    slices.took(10, TimeUnit.MILLISECONDS.toNanos(500), 0);
    List<Integer> sizes = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    for (List<JobSpec> slice = next(slices); !slice.isEmpty(); slice = next(slices)) {
      sizes.add(slice.size());
      slice.forEach(job -> ids.add(job.id()));
    }
    assertThat(ids).isEqualTo(jobs(200).map(Job::id).toList());
    assertThat(sizes)
        .isSortedAccordingTo(Comparator.reverseOrder())
        .startsWith(20)
        .endsWith(3, 2, 2, 2, 2, 1);
  }

  @Test
  void oneIsAboutASecondsWork() throws Exception {
    Slices slices = of(jobs(200));
    assertThat(next(slices)).as("nothing is known yet").hasSize(1);
    slices.took(4, TimeUnit.SECONDS.toNanos(1), 0);
    assertThat(next(slices)).hasSize(4);
    for (int i = 0; i < 9; i++) {
      slices.took(1, TimeUnit.MILLISECONDS.toNanos(50), 0);
    }
    assertThat(next(slices)).as("what is long ago counts little").hasSizeBetween(15, 20);
    slices.took(1, TimeUnit.SECONDS.toNanos(100), 0);
    assertThat(next(slices)).hasSize(1);
  }

  @Test
  void largeJobsAndLargeResultsMakeSmallOnes() throws Exception {
    Slices files = of(jobs(20).map(job -> job.file("in", new byte[3 << 20])));
    files.took(10, 1, 0);
    assertThat(next(files)).hasSize(2);
    Slices results = of(jobs(200));
    results.took(10, 1, 20 << 20);
    assertThat(next(results)).hasSize(4);
  }

  @Test
  void noMoreJobsAreReadThanAreNeededSoon() throws Exception {
    int[] read = {0};
    Iterator<Job> jobs = jobs(100_000).peek(_ -> read[0]++).iterator();
    Slices slices = new Slices(() -> AT_ONCE);
    Thread reader = Thread.ofVirtual().start(() -> slices.fill(jobs));
    assertThat(next(slices)).hasSize(1);
    slices.cancel();
    reader.join();
    assertThat(read[0]).isLessThan(1000);
    assertThat(slices.next()).isNull();
  }

  @Test
  void whatTheJobsThrowComesAfterThoseThatWereRead() throws Exception {
    IllegalStateException thrown = new IllegalStateException("line 3");
    Slices slices =
        of(
            Stream.concat(
                jobs(2),
                Stream.of(1)
                    .map(
                        _ -> {
                          throw thrown;
                        })));
    assertThat(next(slices)).hasSize(1);
    assertThat(next(slices)).hasSize(1);
    assertThat(slices.next()).isNull();
    assertThat(slices.problem()).isSameAs(thrown);
  }
}
