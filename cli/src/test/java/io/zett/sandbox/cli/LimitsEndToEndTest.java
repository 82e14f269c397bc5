package io.zett.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import io.zett.sandbox.cli.ZettProcess.End;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits as the command tells of them; the library's own tests attack each. */
class LimitsEndToEndTest {
  /** Takes 200 MB, keeps it for a while, and exits with 0 if it is left alone. */
  private static final String GREEDY = "perl -e '$x = \"x\" x 200_000_000; sleep 3'; exit 0";

  @TempDir Path folder;

  @Test
  void aCommandThatWantsTooMuchMemoryIsToldByName() throws Exception {
    End end = ZettProcess.run(folder, "run", "--json", "--memory", "64MB", "-c", GREEDY);
    Map<String, Object> json = JSON.std.mapFrom(end.out());
    assertThat(json)
        .containsEntry("outcome", "limit_exceeded")
        .containsEntry("limit", "memory")
        .containsEntry("limitsHit", List.of("memory"))
        .containsEntry("exitCode", 137)
        .containsEntry("timedOut", false);
    assertThat(end.status()).isEqualTo(137);
  }

  @Test
  void withoutJsonOneLineSaysWhichLimitItWas() throws Exception {
    End end = ZettProcess.run(folder, "run", "--memory=64MB", "-c", GREEDY);
    assertThat(end.status()).isEqualTo(137);
    // The shell may have said something of its own.
    String ours = end.err().lines().toList().getLast();
    assertThat(ours).startsWith("zett: ").contains("memory");
  }

  @Test
  void aFileThatGrowsTooLargeIsToldByName() throws Exception {
    End end =
        ZettProcess.run(
            folder,
            "run",
            "--json",
            "--max-file-size=1000",
            "--",
            "perl",
            "-e",
            "open(F, '>f'); print F 'x' x 2000; close(F)");
    assertThat(JSON.std.mapFrom(end.out()))
        .containsEntry("limit", "file_size")
        .containsEntry("limitsHit", List.of("file_size"));
  }
}
