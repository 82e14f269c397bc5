package io.zett.sandbox.benchmarks;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Large policies and large workspaces. */
final class PolicySize implements Section {
  private static final int DENIED = 1000;

  /** Few: bubblewrap takes seconds for so many mounts, since it reads their table for each. */
  private static final int DENIED_PAIRS = 10;

  private static final int DENIED_SECONDS = 12;

  private static final int WORKSPACE = 500_000;
  private static final int QUICK_WORKSPACE = 50_000;
  private static final int OPENINGS = 100;
  private static final int OPENING_SECONDS = 5;
  private static final int DELETED = 200_000;
  private static final int QUICK_DELETED = 50_000;
  private static final int DELETIONS = 1;

  // The folders hold a thousand names each.
  private static final int NAMES_TO_SEE = 1000;
  private static final int NAMES_TO_DELETE = 4;
  private static final SandboxCommand TRUE = SandboxCommand.of("true").checked();

  @Override
  public String name() {
    return "policy";
  }

  @Override
  public String title() {
    return "Large policies and workspaces";
  }

  @Override
  public void run(Settings settings, Results results) throws Exception {
    denied(settings, results);
    opening(settings, results);
    closing(settings, results);
  }

  private static void denied(Settings settings, Results results) throws Exception {
    String what = "a command with " + Figures.count(DENIED) + " denied files";
    try (Scratch scratch = new Scratch(settings)) {
      List<Path> files = Scratch.fill(scratch.path(), DENIED);
      SandboxPolicy policy = SandboxPolicy.builder().denyRead(files).build();
      try (SandboxSession session = SandboxSession.builder(policy).open();
          Bubblewrap bubblewrap = new Bubblewrap(settings, policy);
          SpawnLoop loop = bubblewrap.running(List.of("true")).start()) {
        if (bubblewrap.mounts() < DENIED) {
          results.skip("policy", what, settings.visible() + " is not seen in a sandbox");
          return;
        }
        Pairs pairs =
            Pairs.take(
                settings.rounds(1, DENIED_PAIRS, DENIED_SECONDS),
                Measured.milliseconds(() -> session.run(TRUE)),
                loop::milliseconds);
        results.add(
            Row.ratio(
                "policy",
                what,
                Unit.MILLISECONDS,
                pairs,
                "bubblewrap with the same mounts",
                Goal.atMost(1.3)));
      }
    }
  }

  /** "Equal" leaves room for noise: a walk would be a hundred times as long. */
  private static void opening(Settings settings, Results results) throws Exception {
    int files = settings.amount(WORKSPACE, QUICK_WORKSPACE);
    try (Scratch full = new Scratch();
        Scratch empty = new Scratch()) {
      Scratch.fillWithNames(full.path(), files, NAMES_TO_SEE);
      Pairs pairs =
          Pairs.take(
              settings.rounds(10, OPENINGS, OPENING_SECONDS),
              openingOf(full.path()),
              openingOf(empty.path()));
      results.add(
          Row.ratio(
              "policy",
              "opening a session on a workspace of " + Figures.count(files) + " files",
              Unit.MILLISECONDS,
              pairs,
              "on an empty one",
              Goal.atMost(1.1)));
    }
  }

  private static Measured openingOf(Path workspace) {
    return () -> {
      SandboxSession.Builder builder = SandboxSession.builder().workspace(workspace);
      long begin = System.nanoTime();
      try (SandboxSession _ = builder.open()) {
        return (System.nanoTime() - begin) / 1e6;
      }
    };
  }

  private static void closing(Settings settings, Results results) throws Exception {
    int files = settings.amount(DELETED, QUICK_DELETED);
    // A file takes longer to make than to delete: 400,000 are 100 s on a slow disk.
    Pairs pairs =
        Pairs.take(
            Rounds.exactly(0, DELETIONS),
            Measured.perSecond(files, () -> close(files)),
            Measured.perSecond(files, () -> remove(files)));
    results.add(
        Row.ratio(
            "policy",
            "closing a session with "
                + Figures.count(files)
                + " names of "
                + Figures.count(files / NAMES_TO_DELETE)
                + " files",
            Unit.FILES_PER_SECOND,
            pairs,
            "rm -rf",
            Goal.atLeast(0.7)));
  }

  private static double close(int files) throws Exception {
    SandboxSession session = SandboxSession.builder().open();
    try (session) {
      Scratch.fillWithNames(session.workspace(), files, NAMES_TO_DELETE);
      return Measured.milliseconds(session::close).once();
    }
  }

  private static double remove(int files) throws Exception {
    try (Scratch scratch = new Scratch()) {
      Path folder = Files.createDirectory(scratch.path().resolve("workspace"));
      Scratch.fillWithNames(folder, files, NAMES_TO_DELETE);
      return Measured.milliseconds(() -> delete(folder)).once();
    }
  }

  private static void delete(Path folder) throws IOException {
    Programs.run(List.of("rm", "-rf", folder.toString()));
  }
}
