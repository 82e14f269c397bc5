package io.zett.sandbox.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The programs in {@code examples}, each in a private workspace with limits. */
class ExamplesTest {
  /** The system's own: one found through PATH may lie in a home that another user cannot read. */
  private static final String PYTHON = "/usr/bin/python3";

  private static SandboxSession session(String example) throws IOException {
    SandboxSession session =
        SandboxSession.builder()
            .memory("1GB")
            .cpuSeconds(60)
            .processes(200)
            .maxFileSize("10MB")
            .timeout(Duration.ofMinutes(2))
            .open();
    Checkout.copy(Checkout.ROOT.resolve("examples").resolve(example), session.workspace());
    return session;
  }

  private static SandboxResult ran(SandboxResult result) {
    assertThat(result.succeeded()).as("%s: %s", result, result.stderr()).isTrue();
    return result;
  }

  @Test
  void aLogIsReportedOnInPython() throws IOException {
    try (SandboxSession session = session("python-log-report")) {
      SandboxResult result = ran(session.run(List.of(PYTHON, "report.py", "access.csv")));
      assertThat(result.stdout())
          .isEqualTo(
              """
              14 requests
                2xx    6  42.9 %
                3xx    3  21.4 %
                4xx    2  14.3 %
                5xx    3  21.4 %
              busiest hour 09:00 with 8
              slowest paths (mean, 95 %)
                /search       1107.2  2718.5 ms
                /api/items     550.6  1155.3 ms
                /login          34.3    36.4 ms
              server errors
                /api/items   2
                /search      1
              """);
      assertThat(result.stderr()).startsWith("skipped: ").contains("oops");
    }
  }

  @Test
  void ordersAreSummedUpInNode() throws IOException {
    assumeTrue(Checkout.has("node"), "node is not installed");
    try (SandboxSession session = session("node-orders")) {
      SandboxResult result = ran(session.run(List.of("node", "totals.mjs", "orders.json")));
      assertThat(result.stdout())
          .isEqualTo(
              """
              Öztürk       167.16 EUR in 2, latest 2026-01-07
              Meyer        101.16 EUR in 2, latest 2026-02-11
              """);
      assertThat(result.stderr()).isEqualTo("refused: order 4: a count of 0\n");
      assertThat(session.workspace().resolve("totals.json"))
          .content()
          .contains("\"customer\": \"Öztürk\"", "\"cents\": 16716");
    }
  }

  @Test
  void primesAreCountedInCompiledC() throws IOException {
    try (SandboxSession session = session("c-primes")) {
      ran(session.run("cc -Wall -Wextra -Werror -O2 -o primes primes.c"));
      assertThat(ran(session.run(List.of("./primes", "1000000"))).stdout())
          .isEqualTo(
              """
              primes up to 1000000: 78498
              trace of the 20th power: 414131
              """);
      assertThat(session.run(List.of("./primes", "many")).exitCode()).isEqualTo(2);
    }
  }

  @Test
  void wordsAreCountedByOneJavaFile() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    try (SandboxSession session = session("java-word-count")) {
      assertThat(ran(session.run(List.of(java, "WordCount.java", "text.txt"))).stdout())
          .isEqualTo(
              """
              83 words
                 5 program
                 3 castles
                 3 sandbox
                 2 back
                 2 its
              """);
    }
  }

  @Test
  void salesAreSummedUpByAPipeline() throws IOException {
    try (SandboxSession session = session("shell-sales")) {
      SandboxResult result = ran(session.run(List.of("sh", "sales.sh", "sales.tsv")));
      assertThat(result.stdout())
          .isEqualTo(
              """
              by region
                west         94.60
                south        84.50
                north        80.60
                east         25.00
              three best articles
                540\tnut
                500\twasher
                200\tbolt
              days
              4
              """);
      assertThat(result.stderr()).isEqualTo("left out: 1\n");
    }
  }

  @Test
  void everyExampleIsOnThePage() throws IOException {
    Path examples = Checkout.ROOT.resolve("examples");
    String page = Files.readString(examples.resolve("README.md"));
    try (Stream<Path> folders = Files.list(examples).filter(Files::isDirectory)) {
      assertThat(folders.map(folder -> folder.getFileName().toString()))
          .hasSize(5)
          .allSatisfy(name -> assertThat(page).contains("](" + name + ")"));
    }
  }
}
