package io.zett.sandbox.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code zett batch --master} with executors in JVMs of their own, of which some are killed. */
@Timeout(600)
class ClusterEndToEndTest {
  private static final Path GRADED =
      Path.of(System.getProperty("basedir", "")).resolve("../cli/src/test/graded");

  @TempDir Path folder;
  private Path told;
  private Path out;
  private Cluster cluster;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void begin() throws IOException {
    told = Files.createDirectory(folder.resolve("told"));
    out = folder.resolve("out.jsonl");
    cluster = new Cluster(folder);
  }

  @AfterEach
  void end() {
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** A job that tells that it runs, and ends when it may. */
  private String gate(String id) throws IOException {
    return told(
        id, ": > " + told + "/" + id + "; while [ ! -e " + told + "/go ]; do sleep 0.1; done;");
  }

  /** A job that leaves a line each time it runs. */
  private String told(String id, String text) throws IOException {
    String command = "echo " + id + " >> " + told + "/runs; " + text + " echo " + id;
    return JSON.std.asString(Map.of("id", id, "command", command)) + "\n";
  }

  /** Spark fails a task that it cannot send. */
  private static String tooLarge() throws IOException {
    String content = "x".repeat((Cluster.MOST_MEBIBYTES + 1) << 20);
    Map<String, Object> job =
        Map.of("id", "large", "command", "true", "files", Map.of("in", content));
    return JSON.std.asString(job) + "\n";
  }

  private Process batch(String master, String... more) throws IOException {
    List<String> words =
        new ArrayList<>(List.of("jobs.jsonl", "-o", out.toString(), "--master", master));
    words.addAll(List.of("--writable", told.toString(), "--memory", "400MB"));
    words.addAll(List.of("--cpu-seconds", "2", "--processes", "100"));
    words.addAll(List.of(more));
    Process process = cluster.batch(words.toArray(String[]::new));
    started.add(process);
    return process;
  }

  /** By id; a second result of one fails. */
  private Map<String, Map<String, Object>> results() throws IOException {
    Map<String, Map<String, Object>> results = new LinkedHashMap<>();
    for (String line : Files.readAllLines(out)) {
      Map<String, Object> result = JSON.std.mapFrom(line);
      assertThat(results.put((String) result.get("id"), result)).as(line).isNull();
    }
    return results;
  }

  @Test
  void aKilledExecutorLosesNoResultAndDoublesNone() throws Exception {
    for (String program : List.of("python3", "node", "awk")) {
      assumeTrue(Files.isExecutable(Path.of("/usr/bin", program)), program + " is not there");
    }
    Files.writeString(
        folder.resolve("jobs.jsonl"),
        gate("gate0")
            + gate("gate1")
            + tooLarge()
            + Files.readString(GRADED.resolve("jobs.jsonl")));
    Process process = batch(Cluster.MASTER);
    cluster.await(told.resolve("gate0"), process);
    cluster.await(told.resolve("gate1"), process);
    List<ProcessHandle> executors = Cluster.executors(process);
    assertThat(executors).hasSize(2);
    assertThat(executors.getFirst().destroyForcibly()).isTrue();
    Cluster.awaitEnd(executors.getFirst());
    Files.createFile(told.resolve("go"));
    assertThat(cluster.end(process)).as(cluster.said()).isZero();
    assertThat(cluster.complaints()).isEmpty();

    Map<String, Map<String, Object>> results = results();
    List<String> expected = Files.readAllLines(GRADED.resolve("expected.jsonl"));
    assertThat(results).hasSize(expected.size() + 3);
    for (String line : expected) {
      Map<String, Object> wanted = JSON.std.mapFrom(line);
      assertThat(results.get((String) wanted.get("id")))
          .containsAllEntriesOf(wanted)
          .containsEntry("host", "127.0.0.1");
    }
    for (String gate : List.of("gate0", "gate1")) {
      assertThat(results.get(gate)).containsEntry("stdout", gate + "\n");
    }
    assertThat(results.get("large")).containsEntry("outcome", "error").doesNotContainKey("host");
    assertThat(results.get("large").get("error").toString()).contains("spark.rpc.message.maxSize");
    // What ran in the killed one has run again.
    assertThat(Files.readAllLines(told.resolve("runs"))).hasSizeGreaterThan(2);
    assertThat(Path.of("/etc/zett-was-here")).doesNotExist();
    for (ProcessHandle executor : executors) {
      Cluster.awaitEnd(executor);
    }
    assertThat(cluster.left()).isEmpty();
  }

  @Test
  void aKilledDriverEndsItsExecutorsAndAnotherGoesOn() throws Exception {
    StringBuilder jobs = new StringBuilder();
    for (int i = 0; i < 6; i++) {
      jobs.append(told("job" + i, ""));
    }
    jobs.append(gate("gate0")).append(gate("gate1"));
    for (int i = 6; i < 12; i++) {
      jobs.append(told("job" + i, ""));
    }
    Files.writeString(folder.resolve("jobs.jsonl"), jobs);
    Process process = batch(Cluster.MASTER);
    cluster.await(told.resolve("gate0"), process);
    cluster.await(told.resolve("gate1"), process);
    List<ProcessHandle> executors = Cluster.executors(process);
    process.destroyForcibly().waitFor();
    for (ProcessHandle executor : executors) {
      Cluster.awaitEnd(executor);
    }
    String part = Files.readString(out);
    Map<String, Map<String, Object>> before = results();
    Files.createFile(told.resolve("go"));

    Process again = batch("local[2]", "--resume");
    assertThat(cluster.end(again)).as(cluster.said()).isZero();
    assertThat(cluster.complaints()).isEmpty();
    assertThat(Files.readString(out)).startsWith(part);
    Map<String, Map<String, Object>> results = results();
    assertThat(results).hasSize(14);
    results.forEach((id, result) -> assertThat(result).containsEntry("stdout", id + "\n"));
    List<String> runs = Files.readAllLines(told.resolve("runs"));
    assertThat(runs).containsAll(results.keySet());
    before.keySet().forEach(id -> assertThat(Collections.frequency(runs, id)).as(id).isOne());
  }

  @Test
  void aMasterThatIsNoneIsToldAndNothingIsWritten() throws Exception {
    Files.writeString(folder.resolve("jobs.jsonl"), told("job", ""));
    Process process = batch("lokal[2]");
    assertThat(cluster.end(process)).isEqualTo(2);
    assertThat(cluster.said()).startsWith("zett: --master: \"lokal[2]\"").contains("local[*]");
    assertThat(out).doesNotExist();
  }
}
