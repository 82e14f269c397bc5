package io.zett.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobResultsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void twoBatchesDoNotWriteTheSameFile(boolean resume) throws Exception {
    Path file = folder.resolve("results.jsonl");
    try (JobResults _ = JobResults.into(file, false)) {
      assertThatThrownBy(() -> JobResults.into(file, resume))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("is written by another batch");
    }
    JobResults.into(file, resume).close();
    assertThat(Files.size(file)).isZero();
  }
}
