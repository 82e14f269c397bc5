package io.zett.sandbox.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.batch.Job;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs on a Spark in this JVM: two cores, and a task is tried up to three times. */
@Timeout(300)
class SandboxedProgramsTest {
  private static final SandboxedPrograms PROGRAMS =
      SandboxedPrograms.under(SandboxPolicy.builder().build());

  @TempDir static Path folder;
  private static SparkSession session;
  private static JavaSparkContext spark;

  @BeforeAll
  static void begin() {
    session =
        SparkSession.builder()
            .master("local[2,3]")
            .appName("test")
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.local.dir", folder.resolve("spark").toString())
            .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString())
            .config("spark.sql.shuffle.partitions", 2)
            .getOrCreate();
    spark = JavaSparkContext.fromSparkContext(session.sparkContext());
  }

  @AfterAll
  static void end() {
    session.stop();
  }

  private static JobSpec job(String id, String text) {
    return JobSpec.of(Job.of(id, SandboxCommand.shell(text)));
  }

  private static List<JobSpec> jobs(int count) {
    return IntStream.range(0, count).mapToObj(i -> job("job" + i, "echo " + i)).toList();
  }

  /** All that does not change from run to run. */
  private static Map<String, String> told(List<ProgramResult> results) {
    return results.stream()
        .collect(
            Collectors.toMap(
                ProgramResult::id,
                program -> {
                  SandboxResult result = program.jobResult().result().orElseThrow();
                  return result.outcome() + result.stdout() + result.stderr();
                }));
  }

  @Test
  void resultsAreTheSameHoweverTheJobsArePartitioned() {
    Map<String, String> first = told(PROGRAMS.run(spark.parallelize(jobs(12), 1)).collect());
    assertThat(first).hasSize(12).containsEntry("job7", "Exited[code=0]7\n");
    JavaRDD<JobSpec> parts = spark.parallelize(jobs(12), 5);
    assertThat(told(PROGRAMS.run(parts).collect())).isEqualTo(first);
    assertThat(PROGRAMS.run(parts).first().host()).isEqualTo("127.0.0.1");
  }

  @Test
  void idsThatAreGivenTwiceAreRefusedBeforeAnyProgramRuns() {
    List<JobSpec> jobs = new ArrayList<>(jobs(4));
    jobs.add(job("job2", "true"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PROGRAMS.run(spark.parallelize(jobs, 3)))
        .withMessageContaining("\"job2\" is that of an earlier job");
  }

  @Test
  void aTaskThatIsTriedAgainGivesEachIdOnce() {
    JavaRDD<JobSpec> failing =
        spark
            .parallelize(jobs(6), 2)
            .map(
                job -> {
                  // Two results of the attempt are there by then.
                  TaskContext task = TaskContext.get();
                  if (job.id().equals("job5") && task.attemptNumber() < 2) {
                    throw new IllegalStateException("this attempt fails");
                  }
                  return job;
                });
    assertThat(PROGRAMS.run(failing).map(ProgramResult::id).collect())
        .containsExactly("job0", "job1", "job2", "job3", "job4", "job5");
  }

  @Test
  void noJobFailsItsTask() {
    List<JobSpec> jobs =
        List.of(
            job("killer", "kill -9 -1; kill -9 $PPID; kill -9 $$"),
            JobSpec.of(Job.of("none", SandboxCommand.of("no-such-program"))),
            JobSpec.of(Job.of("nowhere", SandboxCommand.of("true").cwd(Path.of("no/such")))),
            JobSpec.of(
                Job.of("unusable", SandboxCommand.of("true"))
                    .file("a", new byte[0])
                    .file("a/b", new byte[0])),
            JobSpec.of(
                Job.of(
                    // More than an array can hold, were it all kept at once.
                    "greedy", SandboxCommand.shell("echo x").maxOutputBytes(Long.MAX_VALUE))),
            job("after", "echo after"));
    Map<String, ProgramResult> results =
        PROGRAMS.run(spark.parallelize(jobs, 1)).collect().stream()
            .collect(Collectors.toMap(ProgramResult::id, result -> result));
    assertThat(results).hasSize(6);
    assertThat(results.get("none").jobResult().result().orElseThrow().exitCode()).isEqualTo(127);
    assertThat(results.get("nowhere").jobResult().failure()).isPresent();
    assertThat(results.get("unusable").jobResult().failure()).isPresent();
    assertThat(results.get("after").jobResult().result().orElseThrow().stdout())
        .isEqualTo("after\n");
  }

  @Test
  void resultsAreRowsOfADataset() {
    List<JobSpec> jobs =
        List.of(
            JobSpec.of(
                Job.of("good", SandboxCommand.shell("echo made > out; echo said; exit 3"))
                    .collect("out")
                    .collect("none")),
            job("segv", "kill -SEGV $$"),
            JobSpec.of(Job.of("nowhere", SandboxCommand.of("true").cwd(Path.of("no/such")))));
    Dataset<Row> rows = PROGRAMS.run(session.createDataset(jobs, JobSpec.encoder()));
    Map<String, Row> byId =
        rows.collectAsList().stream().collect(Collectors.toMap(row -> row.getAs("id"), row -> row));
    Row good = byId.get("good");
    assertThat(good.<String>getAs("outcome")).isEqualTo("exited");
    assertThat(good.<Integer>getAs("exitCode")).isEqualTo(3);
    assertThat(good.<String>getAs("stdout")).isEqualTo("said\n");
    assertThat(good.<String>getAs("backend")).isEqualTo("bubblewrap");
    assertThat(good.<Double>getAs("wallSeconds")).isPositive();
    assertThat((byte[]) good.getJavaMap(17).get("out")).isEqualTo("made\n".getBytes(UTF_8));
    assertThat(good.getJavaMap(18)).containsOnlyKeys("none");
    assertThat(byId.get("segv").<Integer>getAs("signal")).isEqualTo(11);
    Row nowhere = byId.get("nowhere");
    assertThat(nowhere.<String>getAs("outcome")).isEqualTo("error");
    assertThat(nowhere.<String>getAs("error")).contains("no/such");
    assertThat(nowhere.<Integer>getAs("exitCode")).isNull();
  }

  @Test
  void theExampleOfThePageGrades() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "python3 is not there");
    Path programs = Files.createDirectory(folder.resolve("programs"));
    Files.writeString(
        programs.resolve("a.json"),
        """
        {"id": "sum", "program": "print(sum(map(int, input().split())))", "input": "1 2 3"}
        {"id": "wrong", "program": "import sys; sys.exit(3)", "input": ""}
        """);
    assertThat(
            Grading.grade(session, programs.toString(), 2)
                .map(
                    (org.apache.spark.api.java.function.MapFunction<Row, String>) Row::mkString,
                    Encoders.STRING())
                .collectAsList())
        .containsExactlyInAnyOrder("sumexited06\n", "wrongexited3");
  }
}
