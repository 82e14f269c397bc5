package io.zett.sandbox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.zett.sandbox.cli.ZettProcess.End;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code zett batch} with real jobs. */
@Timeout(180)
class BatchEndToEndTest {
  @TempDir Path folder;

  private Path jobs(List<Map<String, Object>> jobs) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Map<String, Object> job : jobs) {
      lines.append(JSON.std.asString(job)).append('\n');
    }
    return Files.writeString(folder.resolve("jobs.jsonl"), lines);
  }

  private static Map<String, Object> job(String id, Object command, Object... more) {
    Map<String, Object> job = new LinkedHashMap<>(Map.of("id", id, "command", command));
    for (int i = 0; i < more.length; i += 2) {
      job.put((String) more[i], more[i + 1]);
    }
    return job;
  }

  /** By id; a second result of one fails. */
  private static Map<String, Map<String, Object>> results(String lines) throws IOException {
    Map<String, Map<String, Object>> results = new LinkedHashMap<>();
    for (String line : lines.lines().toList()) {
      Map<String, Object> result = JSON.std.mapFrom(line);
      assertThat(line).startsWith("{\"id\":");
      assertThat(results.put((String) result.get("id"), result)).as(line).isNull();
    }
    return results;
  }

  @Test
  void everyKeyOfAJobCounts() throws Exception {
    jobs(
        List.of(
            job(
                "all",
                "cat in.txt; cat; pwd | grep -o sub; echo $WORD; printf '\\377' > ../bin; echo t > text;"
                    + " echo 123456789 >&2",
                "files",
                Map.of("sub/in.txt", "ä\n", "x", Map.of("base64", "AAE=")),
                "input",
                "typed\n",
                "cwd",
                "sub",
                "env",
                Map.of("WORD", "word"),
                "timeout",
                9.5,
                "memory",
                "256MB",
                "cpuSeconds",
                5,
                "maxOutputBytes",
                8,
                "collect",
                List.of("bin", "sub/text", "x", "none")),
            job("words", List.of("printf", "%s|", "a b", "c"))));
    End end = ZettProcess.run(folder, "batch", "jobs.jsonl");
    assertThat(end.err()).isEmpty();
    assertThat(end.status()).isZero();
    Map<String, Map<String, Object>> results = results(end.out());
    Map<String, Object> all = results.get("all");
    assertThat(all)
        .containsEntry("outcome", "exited")
        .containsEntry("stdout", "ä\ntyped")
        .containsEntry("stdoutTotalBytes", 18)
        .containsEntry("stdoutTruncated", true)
        .containsEntry("stderr", "12345678")
        .containsEntry(
            "files",
            Map.of("bin", Map.of("base64", "/w=="), "sub/text", "t\n", "x", "\u0000\u0001"));
    assertThat(((Map<?, ?>) all.get("fileErrors")).keySet().toString()).isEqualTo("[none]");
    assertThat(results.get("words")).containsEntry("stdout", "a b|c|");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'id':'a','command':'true','comand':'x'} | \"comand\" is no key of a job",
        "{'id':'first','command':'true'} | that of an earlier job",
      })
  void aLineThatIsNoJobIsRefusedBeforeAnyJobRuns(String line, String told) throws Exception {
    Files.writeString(
        folder.resolve("jobs.jsonl"),
        "{\"id\":\"first\",\"command\":\"true\"}\n\n" + line.replace('\'', '"') + "\n");
    End end = ZettProcess.run(folder, "batch", "jobs.jsonl", "-o", "out.jsonl");
    assertThat(end.status()).as(end.err()).isEqualTo(2);
    assertThat(end.err()).startsWith("zett: jobs.jsonl, line 3: ").contains(told);
    assertThat(folder.resolve("out.jsonl")).doesNotExist();
  }

  @Test
  void jobsComeThroughAPipeAndResultsGoThroughOne() throws Exception {
    try (ZettProcess zett = ZettProcess.zett(folder, "batch", "--parallel", "2", "-")) {
      zett.send("{\"id\":\"one\",\"command\":\"echo 1\"}\n");
      zett.awaitOutput("\"one\"");
      zett.send("{\"id\":\"two\",\"command\":\"echo 2\"}\n");
      zett.awaitOutput("\"two\"");
      zett.closeInput();
      End end = zett.end();
      assertThat(end.status()).isZero();
      assertThat(results(end.out())).containsOnlyKeys("one", "two");
    }
  }

  /** Its lines are not read twice, since they are there once. */
  @Test
  void jobsOfAPipeThatHasANameAreNotLost() throws Exception {
    String text =
        "mkfifo jobs; echo '{\"id\":\"one\",\"command\":\"echo 1\"}' > jobs & exec \"$@\" batch jobs";
    try (ZettProcess zett = ZettProcess.shell(folder, text)) {
      End end = zett.end();
      assertThat(end.status()).as(end.err()).isZero();
      assertThat(results(end.out())).containsOnlyKeys("one");
    }
  }

  @Test
  void aBatchThatWasKilledGoesOnWhereItWas() throws Exception {
    int count = 120;
    jobs(IntStream.range(0, count).mapToObj(i -> job("job" + i, "sleep 0.05; echo " + i)).toList());
    Path out = folder.resolve("out.jsonl");
    try (ZettProcess zett =
        ZettProcess.shell(
            folder,
            "\"$@\" batch jobs.jsonl -o out.jsonl & tail -n +1 -F out.jsonl 2>/dev/null & wait %1")) {
      zett.awaitOutput("\"job5\"");
      ProcessHandle batch =
          zett.descendants()
              .filter(
                  each ->
                      each.info()
                          .arguments()
                          .map(words -> List.of(words).contains("batch"))
                          .orElse(false))
              .filter(each -> each.info().command().orElse("").endsWith("java"))
              .findFirst()
              .orElseThrow();
      assertThat(batch.destroyForcibly()).isTrue();
      batch.onExit().join();
    }
    String part = Files.readString(out);
    assertThat(part.lines().count()).isBetween(1L, count - 1L);
    Files.writeString(out, part + "{\"id\":\"job11"); // as a kill in the middle of a write would

    End refused = ZettProcess.run(folder, "batch", "jobs.jsonl", "-o", "out.jsonl");
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("--resume");

    End end = ZettProcess.run(folder, "batch", "jobs.jsonl", "-o", "out.jsonl", "--resume");
    assertThat(end.err()).isEmpty();
    assertThat(end.status()).isZero();
    Map<String, Map<String, Object>> results = results(Files.readString(out));
    assertThat(results).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(results.get("job" + i)).containsEntry("stdout", i + "\n");
    }
    assertThat(Files.readString(out)).startsWith(part);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "notes without an end",
        "notes\n",
        "{\"id\":\"a\",\"command\":\"true\"}\n",
        "{\"id\":\"a\",\"outcome\":\"exited\"}\nnotes"
      })
  void whatIsNoResultIsNotTakenForOne(String content) throws Exception {
    jobs(List.of(job("a", "true")));
    Path out = Files.writeString(folder.resolve("out.jsonl"), content);
    Spoken end =
        Spoken.by(
            "batch", folder.resolve("jobs.jsonl").toString(), "-o", out.toString(), "--resume");
    assertThat(end.status()).as(end.err()).isEqualTo(2);
    assertThat(end.err()).contains("is no result of a batch");
    assertThat(out).hasContent(content.strip());
  }

  @Test
  void theJobsAreNotWrittenOver() throws Exception {
    String name = jobs(List.of(job("a", "true"))).toString();
    String content = Files.readString(Path.of(name));
    for (String option : List.of("--resume", "--parallel=1")) {
      Spoken end = Spoken.by("batch", name, "-o", name, option);
      assertThat(end.status()).isEqualTo(2);
      assertThat(end.err()).contains("is the file of the jobs");
    }
    assertThat(Path.of(name)).hasContent(content.strip());
  }

  @Test
  void aLineThatIsNoTextIsToldByItsNumber() throws Exception {
    Path file = folder.resolve("jobs.jsonl");
    Files.write(file, "\ufeff{\"id\":\"a\",\"command\":\"true\"}\n\n".getBytes(UTF_8));
    Files.write(file, new byte[] {'{', (byte) 0xff, '\n'}, StandardOpenOption.APPEND);
    Spoken end = Spoken.by("batch", file.toString());
    assertThat(end.status()).isEqualTo(2);
    assertThat(end.err()).contains("jobs.jsonl, line 3: is no UTF-8");
  }

  @Test
  void aSignalEndsItAndLeavesWhatIsToBeDone() throws Exception {
    jobs(List.of(job("a", "true"), job("b", "sleep 74.01"), job("c", "true")));
    try (ZettProcess zett = ZettProcess.zett(folder, "batch", "--parallel", "1", "jobs.jsonl")) {
      zett.awaitOutput("\"a\"");
      zett.signal("TERM");
      End end = zett.end();
      assertThat(end.status()).isEqualTo(143);
      assertThat(results(end.out())).containsOnlyKeys("a");
      assertThat(ZettProcess.isRunning("74.01")).isFalse();
    }
  }

  @Test
  void aMachineThatCanRunNothingIsToldOnce() throws Exception {
    jobs(List.of(job("a", "true"), job("b", "true")));
    End end = ZettProcess.run(folder, "batch", "--backend", "seatbelt", "jobs.jsonl");
    assertThat(end.status()).isEqualTo(125);
    assertThat(end.out()).isEmpty();
    assertThat(end.err()).startsWith("zett: ");
  }

  /** As graders have them: right ones, wrong ones and hostile ones, side by side. */
  @Test
  void programsOfFourLanguagesAreGradedUnderLoad() throws Exception {
    for (String program : List.of("python3", "node", "awk")) {
      assumeTrue(Files.isExecutable(Path.of("/usr/bin", program)), program + " is not there");
    }
    Path graded = Path.of(System.getProperty("basedir", "")).resolve("src/test/graded");
    End end =
        ZettProcess.run(
            folder,
            "batch",
            graded.resolve("jobs.jsonl").toAbsolutePath().toString(),
            "--memory",
            "400MB",
            "--cpu-seconds",
            "2",
            "--processes",
            "100",
            "--timeout",
            "60");
    assertThat(end.err()).isEmpty();
    assertThat(end.status()).isZero();
    Map<String, Map<String, Object>> results = results(end.out());
    List<String> expected = Files.readAllLines(graded.resolve("expected.jsonl"));
    assertThat(results).hasSameSizeAs(expected);
    for (String line : expected) {
      Map<String, Object> wanted = JSON.std.mapFrom(line);
      assertThat(results.get((String) wanted.get("id"))).containsAllEntriesOf(wanted);
    }
    assertThat(Path.of("/etc/zett-was-here")).doesNotExist();
  }
}
