package io.zett.sandbox.cases.shortage;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Possessions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM whose temporary directory and workspace are on a small disk that is full for a while. */
final class FullDisk {
  private static final int MOST_FREE = 12;

  private final Path disk;
  private final List<Path> fillers = new ArrayList<>();

  private FullDisk(Path disk) {
    this.disk = disk;
  }

  public static void main(String[] arguments) throws Exception {
    FullDisk disk = new FullDisk(Path.of(arguments[0]));
    Path own = Files.createDirectory(disk.disk.resolve("own"));
    SandboxSession.Builder denying = SandboxSession.builder().denyRead(own.resolve("missing"));
    try (Attempts attempts =
        new Attempts(m -> m.contains("(ENOSPC)") && m.contains("free some space"))) {
      try (SandboxSession inPrivate = SandboxSession.builder().open();
          SandboxSession inOwn = denying.workspace(own).open()) {
        List<SandboxSession> sessions = List.of(inPrivate, inOwn);
        disk.withoutBytes(
            () -> {
              sessions.forEach(FullDisk::expectOwnFailure);
              sessions.forEach(attempts::run);
              attempts.open(SandboxSession.builder());
            });
        sessions.forEach(FullDisk::expectSuccess);
        for (int free = 0; free < MOST_FREE; free++) {
          disk.withFewFiles(
              free,
              () -> {
                sessions.forEach(attempts::run);
                attempts.open(SandboxSession.builder());
              });
        }
        sessions.forEach(FullDisk::expectSuccess);
      }
      System.out.println(
          attempts.told() > 3 && attempts.worked() > 3 ? "told and worked" : attempts.toString());
    }
    Files.delete(own.resolve("file"));
    Files.delete(own); // nothing else is in it
    System.out.println(
        Possessions.entries(disk.disk).stream()
            .map(path -> path.getFileName().toString())
            .filter(name -> !name.startsWith(".zett-locks-"))
            .toList());
  }

  /** What a command cannot write is its own affair. */
  private static void expectOwnFailure(SandboxSession session) {
    SandboxResult result = session.run("head -c 9000 /dev/zero > file");
    if (!(result.outcome() instanceof Outcome.Exited)
        || result.exitCode() == 0
        || !result.stderr().contains("No space left")) {
      throw new AssertionError("not the command's own failure: " + result);
    }
  }

  private static void expectSuccess(SandboxSession session) {
    Attempts.expectOk(session.run("head -c 9000 /dev/zero > file && echo ok"));
  }

  private void withoutBytes(Runnable action) throws IOException {
    Path filler = filler();
    try (OutputStream out = Files.newOutputStream(filler)) {
      out.write(new byte[64 << 20]);
      throw new AssertionError("a disk without end");
    } catch (IOException full) {
      // No space left on device.
    }
    thenEmpty(action);
  }

  private void withFewFiles(int free, Runnable action) throws IOException {
    try {
      while (true) {
        Files.createFile(filler());
      }
    } catch (IOException full) {
      fillers.removeLast();
    }
    for (int i = 0; i < free; i++) {
      Files.delete(fillers.removeLast());
    }
    thenEmpty(action);
  }

  private Path filler() {
    Path filler = disk.resolve("filler" + fillers.size());
    fillers.add(filler);
    return filler;
  }

  private void thenEmpty(Runnable action) throws IOException {
    try {
      action.run();
    } finally {
      for (Path filler : fillers) {
        Files.delete(filler);
      }
      fillers.clear();
    }
  }
}
