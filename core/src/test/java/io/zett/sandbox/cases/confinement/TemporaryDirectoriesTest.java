package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /tmp}, {@code /var/tmp}, {@code /dev/shm}, {@code /run} and the home directory. */
class TemporaryDirectoriesTest {

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/tmp", "/var/tmp", "/dev/shm", "/run"})
  void theWorkspaceIsThereWhereverPrivateDirectoriesAre(String parent) throws Exception {
    assumeTrue(Files.isWritable(Path.of(parent)), parent + " can only be written by root");
    Path own = Files.createTempDirectory(Path.of(parent), "zett-case");
    try {
      Path workspace = Files.createDirectory(own.resolve("ws"));
      Scene.write(workspace.resolve("file"), "content");
      Path other = Scene.write(own.resolve("other"), "SECRET");
      try (SandboxSession session = SandboxSession.builder().workspace(workspace).open()) {
        SandboxResult result = session.run("cat file; echo n > new; cat " + other + "; pwd");

        assertThat(result.stdout()).isEqualTo("content" + workspace + "\n");
      }
      assertThat(workspace.resolve("new")).hasContent("n");
    } finally {
      for (String name : List.of("ws/new", "ws/file", "ws", "other", "")) {
        Files.deleteIfExists(own.resolve(name));
      }
    }
  }

  /** A volume that a cluster mounts with mode 0777 is such a directory. */
  @Test
  void aDirectoryForTemporaryFilesThatOthersMayRenameInIsRefusedWithTheMend() throws Exception {
    Path open = Files.createDirectory(scene.base.resolve("open"));
    List<String> words = new ArrayList<>(Caller.words(scene, "run=echo works"));
    words.add(1, "-Djava.io.tmpdir=" + open);
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));

    Unsandboxed.End refused = Unsandboxed.end(Caller.start(scene, Map.of(), words));
    assertThat(refused.status()).isEqualTo(3);
    assertThat(refused.out())
        .startsWith("failed: ")
        .contains(open.toString(), "chmod +t", "-Djava.io.tmpdir=DIR");
    assertThat(open).isEmptyDirectory();

    assertThat(Unsandboxed.shell(open, "chmod +t .").status()).isZero();
    Unsandboxed.End mended = Unsandboxed.end(Caller.start(scene, Map.of(), words));
    assertThat(mended.out()).as(mended.err()).isEqualTo("works\n");
  }

  @Test
  void theWorkspaceIsThereInAPrivateHome() throws Exception {
    Path inHome = Files.createDirectories(scene.home.resolve("project"));
    Scene.write(inHome.resolve("file"), "content");
    Scene.write(scene.home.resolve("other"), "SECRET");
    Unsandboxed.End end =
        Caller.run(
            scene,
            Map.of(),
            "workspace=" + inHome,
            "home=private",
            "run=cat file; echo n > new; ls -A ~; echo a > ~/note && cat ~/note",
            "run=ls -A ~; cat ~/note ~/other");

    assertThat(end.out()).isEqualTo("contentproject\na\nproject\n");
    assertThat(inHome.resolve("new")).hasContent("n");
    assertThat(scene.home.resolve("note")).doesNotExist();
  }

  @Test
  void aPrivateHomeIsWritableAndDisappears() {
    try (SandboxSession session = scene.session().home(HomeMode.PRIVATE).open()) {
      assertThat(session.run("ls -A ~; echo x > ~/f && mkdir ~/.cache && cat ~/f").stdout())
          .isEqualTo("x\n");
      assertThat(session.run("ls -A ~").stdout()).isEmpty();
    }
  }

  @Test
  void temporaryFilesWorkWhateverTheCallersTmpdirIs() throws Exception {
    Unsandboxed.End end =
        Caller.run(
            scene,
            Map.of("TMPDIR", "/nope", "TMP", "/nope", "TEMP", "/nope"),
            "run="
                + """
                echo $TMPDIR $TMP $TEMP $XDG_CACHE_HOME
                mkdir -p "$XDG_CACHE_HOME" && touch "$XDG_CACHE_HOME/x" && echo cache
                bash -c 'cat <<E
                hi
                E'
                rm "$(mktemp)" && rm "$(TMPDIR=/var/tmp mktemp)" && echo made
                /usr/bin/python3 -c 'import tempfile; print(tempfile.mkdtemp()[:5])'
                seq 200000 | sort -S 1M -n | tail -n 1
                """);

    assertThat(end.out()).isEqualTo("/tmp /tmp /tmp /tmp/.cache\ncache\nhi\nmade\n/tmp/\n200000\n");
  }

  @Test
  void noOtherCommandNorTheHostSeesWhatIsInThem() {
    String name = "zett-leak-" + UUID.randomUUID();
    try (SandboxSession one = scene.session().open();
        SandboxSession two = scene.session().open()) {
      String files = "/tmp/" + name + " /var/tmp/" + name + " /dev/shm/" + name;
      SandboxResult made = one.run("echo s | tee " + files);
      assertThat(made.exitCode()).isZero();
      assertThat(one.run("cat " + files).stdout()).isEmpty();
      assertThat(two.run("cat " + files).stdout()).isEmpty();
      for (String at : List.of("/tmp", "/var/tmp", "/dev/shm")) {
        assertThat(Path.of(at, name)).doesNotExist();
      }
    }
  }

  @Test
  void theHostsTemporaryFilesAreNotSeen() throws Exception {
    Path secret = Files.createTempFile(Path.of("/tmp"), "zett-case", "");
    try (SandboxSession session =
        SandboxSession.builder().workspace(scene.workspace).allowRead(scene.outside).open()) {
      SandboxResult result = session.run("ls -A /tmp /var/tmp /dev/shm; test -e " + secret);

      assertThat(result.succeeded()).isFalse();
      assertThat(result.stdout()).doesNotContain("zett-case");
    } finally {
      Files.delete(secret);
    }
  }

  @Test
  void theyAreBounded() {
    try (SandboxSession session =
        scene.session().scratchSize("4MiB").home(HomeMode.PRIVATE).open()) {
      for (String at : List.of("/tmp", "/var/tmp", "/dev/shm", "$HOME")) {
        SandboxResult result =
            session.run("head -c 20M /dev/zero > " + at + "/x || stat -c %s " + at + "/x");

        assertThat(result.stderr()).as("%s", at).contains("No space left on device");
        assertThat(Long.parseLong(result.stdout().strip())).isLessThanOrEqualTo(4 << 20);
      }
    }
  }

  @Test
  void nothingBesideThemCanBeWrittenIntoMemory() {
    try (SandboxSession session = scene.session().home(HomeMode.PRIVATE).open()) {
      SandboxResult result =
          session.run(
              """
              for at in / /dev /dev/pts /dev/mqueue /run /run/lock /run/user /var /var/run /mnt /proc
              do mkdir $at/zett-d && echo made $at; (: > $at/zett-f) && echo wrote $at
              done 2>/dev/null; true
              """);

      assertThat(result.stdout()).isEmpty();
    }
  }

  @Test
  void sharedMemoryWorks() {
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run(
              List.of(
                  Scene.PYTHON,
                  "-c",
                  """
                  import multiprocessing as m
                  from multiprocessing import shared_memory as s
                  with m.Lock(): print(1)
                  b = s.SharedMemory(create=True, size=4096); b.buf[0] = 2; print(b.buf[0]); b.unlink()
                  with m.Pool(2) as pool: print(pool.map(abs, [-3]))
                  """));

      assertThat(result.stdout()).isEqualTo("1\n2\n[3]\n");
    }
  }
}
