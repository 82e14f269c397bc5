package io.zett.sandbox.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The policy in {@code examples}, kept by a program of that folder. */
class PolicyExampleTest {
  private static final Path EXAMPLES =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("../examples");

  @TempDir Path temporary;

  @Test
  void theExampleIsWhatItsProgramNeeds() throws Exception {
    Path workspace = Files.createDirectory(temporary.resolve("python-log-report"));
    for (String name : List.of("report.py", "access.csv")) {
      Files.copy(EXAMPLES.resolve("python-log-report").resolve(name), workspace.resolve(name));
    }
    Path file = Files.copy(EXAMPLES.resolve("sandbox.yaml"), temporary.resolve("sandbox.yaml"));
    SandboxPolicy policy = PolicyFile.load(file);

    try (SandboxSession session = SandboxSession.builder(policy).workspace(workspace).open()) {
      SandboxResult report =
          session.run(List.of("/usr/bin/python3", "report.py", "access.csv")).check();
      assertThat(report.stdout()).startsWith("14 requests");
      assertThat(session.run("echo x >> access.csv").succeeded()).isFalse();
      assertThat(session.run("echo $TZ; ls -A ~ | wc -l").stdout()).isEqualTo("UTC\n0\n");
    }
  }

  @Test
  void theExampleFitsTheSchema() throws Exception {
    assertThat(
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(PolicyFile.schema())
                .validate(Files.readString(EXAMPLES.resolve("sandbox.yaml")), InputFormat.YAML))
        .isEmpty();
  }
}
