package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code /proc} tells about the host: nothing. */
class ProcessesSeenTest {

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  @Test
  void onlyTheCommandsOwnProcessesAreSeen() {
    try (SandboxSession session = scene.session().open()) {
      assertThat(session.run("ls /proc | grep -c '^[0-9]'").stdout().strip()).matches("[1-5]");
      assertThat(session.run("kill -0 " + ProcessHandle.current().pid()).succeeded()).isFalse();
      assertThat(session.run("hostname; cat /proc/sys/kernel/hostname").stdout())
          .isEqualTo("sandbox\nsandbox\n");
    }
  }

  @Test
  void noProcessLeadsToAHiddenFile() throws Exception {
    Path secret = scene.host("s", "SECRET");
    try (SandboxSession session = scene.session().denyRead(secret).open()) {
      SandboxResult result =
          session.run(
              """
              for p in /proc/[0-9]* /proc/self /proc/thread-self; do
                cat $p/root/SECRET_FILE $p/cwd/../H/s $p/fd/*/H/s $p/task/*/root/SECRET_FILE
                for fd in $p/fd/*; do cat $fd/../../H/s $fd/s; done
              done 2>/dev/null </dev/null; true
              """
                  .replace("SECRET_FILE", secret.toString().substring(1)));

      assertThat(result.stdout()).isEmpty();
    }
  }

  @Test
  void theFirstProcessTellsNothing() throws Exception {
    Unsandboxed.End end =
        Caller.run(
            scene,
            Map.of("ZETT_TEST_TOKEN", "tok12345"),
            "run="
                + """
                cat /proc/1/environ /proc/1/maps /proc/1/mem /proc/1/auxv | tr '\\0' '\\n'
                cat /proc/1/fd/* /proc/1/root/etc/hostname /proc/1/exe
                readlink /proc/1/cwd /proc/1/exe /proc/1/root /proc/1/fd/*
                """);

    assertThat(end.out()).isEmpty();
  }

  @Test
  void theTableOfMountsNamesNoDirectoryOfTheLauncher() {
    try (SandboxSession session = scene.session().open()) {
      assertThat(session.run("cat /proc/self/mountinfo").stdout())
          .isNotEmpty()
          .doesNotContain("/oldroot", "/newroot");
      assertThat(session.run("ls -d /oldroot /newroot").stdout()).isEmpty();
    }
  }
}
