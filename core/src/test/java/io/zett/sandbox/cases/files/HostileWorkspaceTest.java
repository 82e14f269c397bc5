package io.zett.sandbox.cases.files;

import static io.zett.sandbox.cases.files.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxFileException;
import io.zett.sandbox.SandboxFileException.Reason;
import io.zett.sandbox.SandboxFiles;
import io.zett.sandbox.SandboxFiles.Entry;
import io.zett.sandbox.SandboxFiles.Kind;
import io.zett.sandbox.SandboxProcess;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a command can plant, and do while the host program reads and writes. */
@Timeout(120)
class HostileWorkspaceTest {
  private static final int ROUNDS = 3_000;
  private static final Duration MOST = Duration.ofSeconds(30);

  @TempDir Path outside;
  private SandboxSession sb;
  private SandboxFiles files;

  @BeforeEach
  void open() throws IOException {
    Files.writeString(outside.resolve("file"), "SECRET");
    sb = SandboxSession.builder().open();
    files = sb.files();
  }

  @AfterEach
  void close() {
    sb.close();
  }

  private void run(String text) {
    sb.run(SandboxCommand.shell(text).env("H", outside.toString())).check();
  }

  private void assertNothingChangedOutside() throws IOException {
    assertThat(outside.resolve("file")).hasContent("SECRET");
    try (Stream<Path> left = Files.list(outside)) {
      assertThat(left).hasSize(1);
    }
  }

  @Test
  void aLinkAtAnyComponentIsRefused() throws IOException {
    run("ln -s $H out; ln -s $H/file file; mkdir d; ln -s d in; ln -s no/such dangling; ln -s l l");
    for (String path : new String[] {"out/file", "in/x", "l/x", "dangling/x"}) {
      String link = path.substring(0, path.indexOf('/'));
      String[] words = {sb.workspace() + "/" + link + " is a symbolic link", "name what"};
      assertRefused(() -> files.readString(path), path, Reason.LINK, words);
      assertRefused(() -> files.write(path, "x"), path, Reason.LINK, words);
      assertRefused(() -> files.write(path + "/y/z", "x"), path + "/y/z", Reason.LINK, words);
      assertRefused(() -> files.exists(path), path, Reason.LINK, words);
      assertRefused(() -> files.delete(path), path, Reason.LINK, words);
    }
    for (String link : new String[] {"out", "file", "in", "l", "dangling"}) {
      assertRefused(() -> files.readBytes(link), link, Reason.LINK, "symbolic link");
      assertRefused(() -> files.list(link), link, Reason.LINK, "symbolic link");
      assertThat(files.exists(link)).isTrue();
    }
    assertThat(files.list(".").entries())
        .filteredOn(entry -> entry.kind() == Kind.LINK)
        .hasSize(5)
        .allMatch(entry -> entry.size() == 0);
    files.write("file", "mine");
    files.write("dangling", "mine");
    assertThat(files.readString("file") + files.readString("dangling")).isEqualTo("minemine");
    files.delete("out");
    assertThat(files.exists("out")).isFalse();
    assertNothingChangedOutside();
  }

  @Test
  void nothingWaitsForAFifoOrASocket() throws IOException {
    run(
        "mkfifo fifo; /usr/bin/python3 -c 'import socket;"
            + " socket.socket(socket.AF_UNIX).bind(\"sock\")'");
    for (String path : new String[] {"fifo", "sock"}) {
      assertRefused(() -> files.readBytes(path), path, Reason.WRONG_KIND, "FIFO", "regular");
      assertRefused(
          () -> files.copyOut(path, outside.resolve("x")), path, Reason.WRONG_KIND, "FIFO");
      assertRefused(() -> files.list(path), path, Reason.WRONG_KIND, "FIFO");
      assertRefused(() -> files.write(path + "/x", ""), path + "/x", Reason.WRONG_KIND, "FIFO");
    }
    assertThat(files.list(".").entries()).extracting(Entry::kind).containsOnly(Kind.OTHER);
    files.write("fifo", "text");
    files.write("sock", "text");
    assertThat(files.readString("fifo") + files.readString("sock")).isEqualTo("texttext");
    assertNothingChangedOutside();
  }

  @Test
  void aDeviceIsNotEvenOpened() throws Exception {
    Path device = sb.workspace().resolve("zero");
    Process mknod = new ProcessBuilder("mknod", device.toString(), "c", "1", "5").start();
    assumeTrue(mknod.waitFor() == 0, "mknod needs root");
    assertRefused(() -> files.readBytes("zero"), "zero", Reason.WRONG_KIND, "device");
    files.write("zero", "text");
    assertThat(files.readString("zero")).isEqualTo("text");
  }

  @Test
  void sizesAreBounded() throws IOException {
    run("truncate -s 1T sparse; printf 12345 > five; mkdir d");
    assertRefused(
        () -> files.readBytes("sparse"), "sparse", Reason.TOO_LARGE, "1099511627776", "16777216");
    assertRefused(
        () -> files.copyOut("sparse", outside.resolve("x")), "sparse", Reason.TOO_LARGE, "bound");
    assertRefused(() -> files.readString("five", 4), "five", Reason.TOO_LARGE, "5 bytes");
    assertThat(files.readString("five", 5)).isEqualTo("12345");
    assertRefused(() -> files.readBytes("d"), "d", Reason.WRONG_KIND, "is a directory");
    assertRefused(() -> files.write("d", ""), "d", Reason.WRONG_KIND, "is a directory");
    assertRefused(() -> files.list("five"), "five", Reason.WRONG_KIND, "not a directory");
    assertRefused(() -> files.write("five/x", ""), "five/x", Reason.WRONG_KIND, "not a directory");
    assertNothingChangedOutside();
  }

  @Test
  void aFileThatGrowsWhileItIsReadEndsAtTheBound() throws Exception {
    int bound = 64 << 20;
    run("head -c 60000000 /dev/zero > big");
    try (SandboxProcess grows =
        sb.start(SandboxCommand.shell("echo up; exec head -c 200000000 /dev/zero >> big"))) {
      assertThat(grows.stdout().read()).isEqualTo('u');
      boolean refused = false;
      long until = System.nanoTime() + MOST.toNanos();
      while (!refused && System.nanoTime() < until) {
        try {
          assertThat(files.readBytes("big", bound).length).isLessThanOrEqualTo(bound);
        } catch (SandboxFileException e) {
          assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE);
          refused = true;
        }
      }
      assertThat(refused).isTrue();
    }
  }

  @Test
  void namesAreBytes() throws IOException {
    run("printf odd > \"$(printf 'a\\377b')\"; printf line > \"$(printf 'new\\nline')\"");
    assertThat(files.readString("new\nline")).isEqualTo("line");
    Entry odd = files.list(".").entries().getFirst();
    assertThat(odd.name()).isEqualTo("a\ufffdb");
    assertRefused(() -> files.readBytes(odd.name()), odd.name(), Reason.NOT_FOUND, "list");
    assertThat(files.readBytes(odd.path(), 3)).asString().isEqualTo("odd");
    files.delete(odd.path());
    files.write("ü/ß", "utf");
    assertThat(sb.run("printf '\\303\\274/\\303\\237' | xargs cat").stdout()).isEqualTo("utf");
  }

  @Test
  void whatIsNoTextIsToldAndNotReplaced() throws IOException {
    run("printf 'abc\\344def' > latin1; printf 'ab\\303' > cut");
    assertRefused(
        () -> files.readString("latin1"), "latin1", Reason.NOT_TEXT, "byte 3", "as bytes");
    assertRefused(() -> files.readString("cut"), "cut", Reason.NOT_TEXT, "byte 2");
    assertThat(files.readBytes("latin1")).hasSize(7);
  }

  @Test
  void pathsCanBeLongerThanTheKernelTakesAtOnce() throws IOException {
    String deep = "d".repeat(250) + "/";
    String path = deep.repeat(40) + "file";
    files.write(path, "deep");
    assertThat(files.readString(path)).isEqualTo("deep");
    assertThat(files.list(deep.repeat(40)).entries()).extracting(Entry::name).contains("file");
    files.delete(path);
    assertThat(files.exists(path)).isFalse();
    String name = "n".repeat(256);
    assertRefused(() -> files.write(name, ""), name, Reason.FAILED, "255 bytes");
  }

  @Test
  void whatPermissionsForbidIsSaid() throws IOException {
    assumeTrue(!System.getProperty("user.name").equals("root"), "root may do everything");
    run("mkdir shut; echo x > shut/file; echo x > none; chmod 0 none shut");
    assertRefused(() -> files.readBytes("none"), "none", Reason.FAILED, "EACCES", "chmod");
    assertRefused(() -> files.readBytes("shut/file"), "shut/file", Reason.FAILED, "EACCES");
    assertRefused(() -> files.write("shut/new", ""), "shut/new", Reason.FAILED, "EACCES");
  }

  @Test
  void aDirectoryThatIsExchangedForALinkAllTheTimeLeadsNowhere() throws Exception {
    run("mkdir d; printf harmless > d/file; ln -s $H link");
    String exchanges =
        """
        import ctypes
        exchange = ctypes.CDLL(None).renameat2
        print("up", flush=True)
        while exchange(-100, b"d", -100, b"link", 2) == 0: pass
        """;
    try (SandboxProcess attack = sb.start(SandboxCommand.of("/usr/bin/python3", "-c", exchanges))) {
      assertThat(attack.stdout().read()).isEqualTo('u');
      int done = 0;
      int refused = 0;
      long until = System.nanoTime() + MOST.toNanos();
      for (int round = 0;
          (round < ROUNDS || done < 50 || refused < 50) && System.nanoTime() < until;
          round++) {
        try {
          switch (round % 5) {
            case 0 -> assertThat(files.readString("d/file")).isEqualTo("harmless");
            case 1 -> files.write("d/new/below", "planted");
            case 2 -> files.write("d/other", "planted");
            case 3 ->
                assertThat(files.list("d").entries())
                    .extracting(Entry::name)
                    .allMatch(name -> name.matches("file|new|other|\\.zett-new-.*"));
            default -> files.delete("d/other");
          }
          done++;
        } catch (SandboxFileException e) {
          assertThat(e.reason()).isIn(Reason.LINK, Reason.NOT_FOUND, Reason.WRONG_KIND);
          refused++;
        }
      }
      assertThat(attack.isAlive()).isTrue();
      assertThat(done).as(String.format(Locale.ROOT, "%d refused", refused)).isGreaterThan(49);
      assertThat(refused).as(String.format(Locale.ROOT, "%d done", done)).isGreaterThan(49);
    }
    assertNothingChangedOutside();
  }

  @Test
  void aFileThatIsExchangedForALinkOrAFifoIsReadOrRefused() throws Exception {
    run("printf harmless > f; ln -s $H/file link; mkfifo fifo");
    String exchanges =
        """
        import os
        print("up", flush=True)
        while True:
          for bad in ("link", "fifo"):
            os.rename("f", "g"); os.rename(bad, "f"); os.rename("f", bad); os.rename("g", "f")
        """;
    try (SandboxProcess attack = sb.start(SandboxCommand.of("/usr/bin/python3", "-c", exchanges))) {
      assertThat(attack.stdout().read()).isEqualTo('u');
      int done = 0;
      int refused = 0;
      long until = System.nanoTime() + MOST.toNanos();
      for (int round = 0;
          (round < ROUNDS || done < 50 || refused < 50) && System.nanoTime() < until;
          round++) {
        try {
          assertThat(files.readString("f")).isEqualTo("harmless");
          done++;
        } catch (SandboxFileException e) {
          assertThat(e.reason()).isIn(Reason.LINK, Reason.NOT_FOUND, Reason.WRONG_KIND);
          refused++;
        }
      }
      assertThat(done).isGreaterThan(49);
      assertThat(refused).isGreaterThan(49);
    }
    assertNothingChangedOutside();
  }
}
