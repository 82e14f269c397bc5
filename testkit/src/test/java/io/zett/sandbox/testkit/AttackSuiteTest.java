package io.zett.sandbox.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.Limit;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.testkit.Finding.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The suite against the library itself. */
@Timeout(600)
class AttackSuiteTest {

  private static final Path MATRIX = Path.of("..", "docs", "attacks.md");
  private static List<Finding> findings = List.of();

  @BeforeAll
  static void attack() throws Exception {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "the attacks are those of Linux");
    findings = AttackSuite.against(SandboxFactory.Default.class).run();
    StringBuilder table = new StringBuilder();
    for (Finding finding : findings) {
      Attack attack = finding.attack();
      table.append(
          "%s\t%s\t%s\t%s\n"
              .formatted(attack.kind(), attack.claim(), attack.name(), finding.text()));
    }
    Files.createDirectories(Path.of("target"));
    Files.writeString(
        Path.of("target", "attacks-" + environment().replace(' ', '-') + ".tsv"), table);
  }

  @Test
  void noAttackWorks() {
    assertThat(findings).extracting(Finding::text).noneMatch(text -> text.startsWith("WORKED"));
  }

  @Test
  void atLeast150DistinctAttacksAreShownToBeRefused() {
    assertThat(AttackSuite.attacks()).extracting(Attack::name).doesNotHaveDuplicates();
    assertThat(
            findings.stream()
                .filter(finding -> finding.text().equals("refused"))
                .map(finding -> finding.attack().attempt() + finding.attack().setting())
                .distinct())
        .hasSizeGreaterThan(150);
  }

  @Test
  void everyKindAndEveryClaimIsAttackedForReal() {
    assertThat(findings)
        .filteredOn(finding -> finding.result() == Result.REFUSED)
        .extracting(finding -> finding.attack().kind())
        .contains(Kind.values());
    assertThat(findings)
        .filteredOn(finding -> finding.result() == Result.REFUSED)
        .extracting(finding -> finding.attack().claim())
        .contains(Claim.values());
  }

  /** The results elsewhere may differ: what cannot be proven depends on the machine. */
  @Test
  void theMatrixHoldsWhatIsFoundHere() throws IOException {
    String written = Files.exists(MATRIX) ? Files.readString(MATRIX, UTF_8) : "";
    AttackMatrix matrix = AttackMatrix.parse(written);
    String renewed = matrix.with(environment(), machine(), findings).toMarkdown();
    if (Boolean.getBoolean("zett.attacks.write")) {
      Files.writeString(MATRIX, renewed, UTF_8);
    } else if (machine().equals(matrix.machine(environment()))) {
      assertThat(written).isEqualTo(renewed);
    } else {
      assertThat(written).isEqualTo(matrix.toMarkdown()).doesNotContain("| not run |");
    }
  }

  private static String environment() throws IOException {
    int uid = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    return uid == 0 ? "root" : "uid 1000";
  }

  private static String machine() throws IOException {
    String capabilities =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("CapEff:"))
            .map(line -> line.replaceAll("CapEff:\\s+0*", ""))
            .findFirst()
            .orElse("");
    ResourceReport report = SandboxSession.builder().build().capabilities();
    TreeMap<Limit, String> limits = new TreeMap<>();
    report.limits().forEach((limit, how) -> limits.put(limit, how.level().wireName()));
    return "Linux %s, capabilities %s, %s"
        .formatted(
            System.getProperty("os.version").replaceAll("-.*", ""),
            capabilities.isEmpty() ? "none" : capabilities,
            limits.values().stream().allMatch("full"::equals) ? "all limits in full" : limits);
  }
}
