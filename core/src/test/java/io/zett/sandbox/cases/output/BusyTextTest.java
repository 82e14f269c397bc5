package io.zett.sandbox.cases.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Sandboxed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * I12: a file that was written just now can be executed: no program that starts meanwhile has
 * inherited the descriptor by which it was written (ETXTBSY, execve(2)).
 */
class BusyTextTest {
  private static final String SCRIPT = "#!/bin/sh\necho ran\n";

  @Test
  void programsThatWereJustWrittenRunWhileOthersStart() throws Exception {
    try (SandboxSession session = Sandboxed.session();
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<List<SandboxResult>>> all = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        String name = "p" + thread + "-";
        all.add(threads.submit(() -> writeAndRun(session, name)));
      }
      for (Future<List<SandboxResult>> some : all) {
        for (SandboxResult result : some.get()) {
          assertThat(result.stderr()).isEmpty();
          assertThat(result.stdout()).isEqualTo("ran\n");
        }
      }
    }
  }

  private static List<SandboxResult> writeAndRun(SandboxSession session, String name)
      throws Exception {
    List<SandboxResult> results = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Path program = Files.writeString(session.workspace().resolve(name + i), SCRIPT);
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
      results.add(session.run(List.of("./" + name + i)));
    }
    return results;
  }
}
