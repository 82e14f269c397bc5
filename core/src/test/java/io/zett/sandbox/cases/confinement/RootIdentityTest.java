package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who a command is, and that root's power over the machine is not its own. */
class RootIdentityTest {

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  @Test
  void aCommandHasNoCapabilityAndCannotGetOne() throws Exception {
    if (Scene.isRoot()) {
      assertThat(Unsandboxed.shell(scene.base, "grep CapEff /proc/self/status").out())
          .doesNotContain("0000000000000000");
    }
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run("grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status | tr -s '\\t ' ' '");

      assertThat(result.stdout().lines())
          .containsExactlyInAnyOrder(
              "CapInh: 0000000000000000",
              "CapPrm: 0000000000000000",
              "CapEff: 0000000000000000",
              "CapBnd: 0000000000000000",
              "CapAmb: 0000000000000000",
              "NoNewPrivs: 1",
              "Seccomp: 2");
    }
  }

  @Test
  void theDiskCannotBeRemountedWritable() {
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run(
              """
              for at in / /etc /usr /proc/sys "$PWD"; do
                mount -o remount,rw,bind "$at" && echo remounted "$at"
                umount "$at" && echo unmounted "$at"
                umount -l "$at" && echo detached "$at"
              done
              mount -t tmpfs none /mnt && echo mounted
              mount --bind /dev /mnt && echo bound
              touch /zett-pwn && echo wrote
              true
              """);

      assertThat(result.exitCode()).isZero();
      assertThat(result.stdout()).isEmpty();
    }
    assertThat(Path.of("/zett-pwn")).doesNotExist();
  }

  /** Opens for writing every file below the arguments and writes to none. */
  private static final String OPEN_ALL =
      """
      import os, stat, sys
      looked = 0
      for top in sys.argv[1:]:
        for at, directories, files in os.walk(top):
          if at == '/proc':
            directories[:] = [d for d in directories if not d.isdigit() and d not in
                              ('self', 'thread-self')]
          for name in files:
            path = os.path.join(at, name)
            try:
              if not stat.S_ISREG(os.lstat(path).st_mode): continue
              looked += 1
              os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC))
              print('WRITABLE', path)
            except OSError: pass
      print('looked' if looked > 100 else 'nothing seen')
      """;

  @Test
  void noSettingOfTheKernelCanBeOpenedForWriting() throws Exception {
    if (Scene.isRoot()) {
      String one = "open('/proc/sys/vm/drop_caches', 'w').close()";
      assertThat(Unsandboxed.run(scene.base, List.of(Scene.PYTHON, "-c", one)).status()).isZero();
    }
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run(List.of(Scene.PYTHON, "-c", OPEN_ALL, "/proc", "/sys/kernel", "/sys/module"));

      assertThat(result.stdout()).isEqualTo("looked\n");
    }
  }

  @Test
  void noControlGroupCanBeMadeOrJoined() {
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run(
              """
              for at in /sys/fs/cgroup /sys/fs/cgroup/*; do
                mkdir "$at/zett-pwn" && echo made "$at"
                for file in tasks cgroup.procs release_agent notify_on_release; do
                  [ -e "$at/$file" ] && (: >> "$at/$file") && echo opened "$at/$file"
                done
              done
              true
              """);

      assertThat(result.stdout()).isEmpty();
    }
  }

  @Test
  void anOrdinaryUserWithANameAndAHomeRunsCommands() {
    try (SandboxSession session = scene.session().open()) {
      String uid = Scene.isRoot() ? "12345" : Integer.toString(Scene.uid());
      assertThat(session.run("id -u").stdout()).isEqualTo(uid + "\n");
      if (Scene.isRoot()) {
        assertThat(session.run("whoami; echo $USER; id -gn").stdout())
            .isEqualTo("sandbox\nsandbox\nsandbox\n");
      }
      SandboxResult account =
          session.run(
              List.of(
                  Scene.PYTHON,
                  "-c",
                  "import os,pwd; print(pwd.getpwuid(os.getuid()).pw_dir == os.environ['HOME'])"));
      if (Scene.isRoot()) {
        assertThat(account.stdout()).isEqualTo("True\n");
      }
    }
  }

  @Test
  void gitAndArchivesWithForeignOwnersWorkAndAFailedChownIsTheCommandsOwn() throws Exception {
    scene.work("in/file", "content");
    Unsandboxed.shell(scene.workspace, "tar --owner=1234 --group=1234 -cf foreign.tar in");
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run(
              """
              touch f
              chown 4321 f; echo chown=$?
              git init -q r && git -C r status --short && echo git
              mkdir out && tar -xf foreign.tar -C out && cat out/in/file && echo
              """);

      assertThat(result.stdout()).isEqualTo("chown=1\ngit\ncontent\n");
      assertThat(session.run("echo usable").stdout()).isEqualTo("usable\n");
    }
    assertThat(Files.getAttribute(scene.workspace.resolve("f"), "unix:uid")).isEqualTo(Scene.uid());
  }
}
