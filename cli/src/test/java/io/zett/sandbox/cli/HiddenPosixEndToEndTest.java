package io.zett.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** K07: the command where the library does not make the system's own calls. */
class HiddenPosixEndToEndTest {
  @TempDir Path folder;

  private ZettProcess zett(String... words) throws IOException {
    List<String> all = new ArrayList<>(ZettProcess.command());
    all.add(all.size() - 1, "-Dos.name=Another Unix");
    all.add(all.size() - 1, "-Djava.io.tmpdir=" + folder);
    all.addAll(List.of(words));
    return ZettProcess.start(folder, Map.of(), all);
  }

  @Test
  void aCommandRunsWithLiveStreamsAndSaysThatNothingIsIsolated() throws Exception {
    try (ZettProcess zett = zett("run", "--cpus", "1", "-c", "echo out; echo err >&2; exit 7")) {
      ZettProcess.End end = zett.end();
      assertThat(end.status()).isEqualTo(7);
      assertThat(end.out()).isEqualTo("out\n");
      assertThat(end.err()).contains("err\n", "isolates nothing", "not enforced here: cpus");
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void whereIsolationIsRequiredNothingRuns() throws Exception {
    try (ZettProcess zett = zett("run", "--require-isolation", "-c", "echo ran")) {
      ZettProcess.End end = zett.end();
      assertThat(end.status()).isEqualTo(125);
      assertThat(end.out()).isEmpty();
      assertThat(end.err()).contains("has no sandbox, and isolation is required");
    }
  }

  @Test
  void aSignalEndsTheCommandAndCleansUp() throws Exception {
    try (ZettProcess zett = zett("run", "-c", "echo started; sleep 100")) {
      zett.awaitOutput("started");
      zett.signal("TERM");
      assertThat(zett.end().status()).isEqualTo(143);
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void theDoctorTellsWhatHolds() throws Exception {
    try (ZettProcess zett = zett("doctor")) {
      ZettProcess.End end = zett.end();
      assertThat(end.out())
          .contains("passthrough (NOT isolated)", "a command in a sandbox: ran in")
          .doesNotContain("native access");
    }
  }
}
