package io.zett.sandbox.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.zett.sandbox.PathExplanation;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.fuzz.Model.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What commands can read and write is what a plain model of the policy says. */
@Timeout(86_400) // as long as it is asked for
class PolicyFuzzTest {

  /** A rule as it is given to the session. */
  private record Given(Rule rule, Path path) {}

  @TempDir Path temporary;
  private int answers;

  @Test
  void theSandboxAndThePlainModelAgree() throws Exception {
    Budget budget = Budget.share(0.5);
    long seed = Budget.seed("policies");
    int cases = 0;
    int refused = 0;
    do {
      if (!agree(
          Files.createDirectory(temporary.toRealPath().resolve("t" + cases)), seed + cases)) {
        refused++;
      }
      cases++;
    } while (budget.isLeft());
    System.out.println(
        "policies: " + cases + " cases, " + refused + " refused to open, " + answers + " answers");
    assertThat(answers).isPositive();
  }

  /** One tree, one policy, one command; false if the session cannot be opened. */
  private boolean agree(Path base, long seed) throws IOException {
    Random random = new Random(seed);
    Layout layout = new Layout(base, random);
    for (String name : new String[] {"W", "H"}) {
      Path directory = Files.createDirectory(base.resolve(name));
      layout.entries.add(new Layout.Entry(directory, true, false));
      layout.grow(directory, 3);
    }
    Path workspace = base.resolve("W");
    List<Given> given = new ArrayList<>();
    given.add(new Given(Rule.ALLOW_READ, base));
    int count = random.nextInt(9);
    for (int i = 0; i < count; i++) {
      Rule rule = Rule.values()[random.nextInt(4)];
      Path path = layout.some();
      if (rule == Rule.WRITABLE && (!Files.isDirectory(path) || Model.meetsLink(path))) {
        rule = Rule.DENY_WRITE;
      }
      // What hides the workspace itself, or all of the tree, leaves nothing to be asked.
      if (!(rule == Rule.DENY_READ && workspace.startsWith(path))) {
        given.add(new Given(rule, path));
        if (random.nextInt(8) == 0) {
          given.add(given.getLast());
        }
      }
    }
    Collections.shuffle(given, random);
    Model model = model(workspace, given);
    List<Path> asked = asked(layout, given);
    List<PathExplanation> said;
    String answer;
    try (SandboxSession session = open(workspace, given)) {
      said = session.sandbox().explain(asked.toArray(Path[]::new));
      SandboxResult result = session.run(question(asked));
      answer = result.stdout();
      assertThat(result.exitCode()).as("%s: %s", seed, result.stderr()).isZero();
    } catch (SandboxSetupException e) {
      if (String.valueOf(e.getMessage()).contains("replace")
          || String.valueOf(e.getMessage()).contains("is hidden")) {
        return false;
      }
      throw new AssertionError(describe(seed, layout, given), e);
    }
    compare(seed, layout, given, model, asked, answer.lines().toList());
    List<String> met = answer.lines().toList();
    for (int i = 0; i < asked.size(); i++) {
      assertThat(isExplained(said.get(i), met.get(i), model))
          .as("%s%s, but inside %s", describe(seed, layout, given), said.get(i), met.get(i))
          .isTrue();
    }
    return true;
  }

  private static SandboxSession open(Path workspace, List<Given> given) {
    SandboxSession.Builder builder =
        SandboxSession.builder().workspace(workspace).scratchSize("4MiB");
    for (Given each : given) {
      switch (each.rule()) {
        case WRITABLE -> builder.writable(each.path());
        case DENY_WRITE -> builder.denyWrite(each.path());
        case DENY_READ -> builder.denyRead(each.path());
        case ALLOW_READ -> builder.allowRead(each.path());
      }
    }
    return builder.open();
  }

  private static Model model(Path workspace, List<Given> given) throws IOException {
    Model model = new Model();
    model.add(workspace, Rule.WRITABLE);
    Set<Path> roots = new TreeSet<>(Set.of(workspace));
    for (Given each : given) {
      if (each.rule() == Rule.WRITABLE) {
        roots.add(each.path());
      }
    }
    for (Given each : given) {
      Path real = Model.real(each.path());
      if (real == null) {
        continue;
      }
      boolean exists = Files.exists(real, LinkOption.NOFOLLOW_LINKS);
      switch (each.rule()) {
        case WRITABLE -> model.add(each.path(), Rule.WRITABLE);
        case ALLOW_READ -> {
          if (exists && !meetsReplaceableLink(each.path(), roots)) {
            model.add(real, Rule.ALLOW_READ);
          }
        }
        case DENY_READ, DENY_WRITE -> model.add(real, each.rule());
      }
    }
    return model;
  }

  /** A link that commands could let lead elsewhere is no grant. */
  private static boolean meetsReplaceableLink(Path path, Set<Path> roots) throws IOException {
    for (Path at = path; at != null; at = at.getParent()) {
      if (Files.isSymbolicLink(at)) {
        Path parent = Model.real(at.getParent());
        if (parent == null || roots.stream().anyMatch(parent::startsWith)) {
          return true;
        }
        Path target = at.getParent().resolve(Files.readSymbolicLink(at));
        return meetsReplaceableLink(target, roots) || meetsReplaceableLink(at.getParent(), roots);
      }
    }
    return false;
  }

  /** Every real path of the tree, and the denied ones that do not exist. */
  private static List<Path> asked(Layout layout, List<Given> given) throws IOException {
    Set<Path> asked = new TreeSet<>();
    for (Layout.Entry entry : layout.entries) {
      if (!entry.link()) {
        asked.add(entry.path());
      }
    }
    for (Given each : given) {
      Path real = Model.real(each.path());
      if (real != null
          && real.startsWith(layout.root)
          && !real.equals(layout.root)
          && !Files.exists(real, LinkOption.NOFOLLOW_LINKS)) {
        asked.add(real);
      }
    }
    return List.copyOf(asked);
  }

  /** For each path a line: what it is, whether it can be read, whether it can be written. */
  private static String question(List<Path> asked) {
    StringBuilder script =
        new StringBuilder(
            """
            ask() {
              kind=none read=no write=no
              if [ -d "$1" ]; then
                kind=dir
                ls -A -- "$1" >/dev/null 2>&1 && read=yes
                if mkdir -- "$1/zett-probe"; then rmdir -- "$1/zett-probe"; write=yes; fi
              elif [ -e "$1" ]; then
                kind=file
                cat -- "$1" >/dev/null && read=yes
                (: >>"$1") && write=yes
              fi
              echo "$kind $read $write"
            }
            exec 2>/dev/null
            """);
    for (Path path : asked) {
      script.append("ask '").append(path.toString().replace("'", "'\\''")).append("'\n");
    }
    return script.append("true\n").toString();
  }

  private void compare(
      long seed, Layout layout, List<Given> given, Model model, List<Path> asked, List<String> got)
      throws IOException {
    assertThat(got).as(describe(seed, layout, given)).hasSameSizeAs(asked);
    for (int i = 0; i < asked.size(); i++) {
      Path path = asked.get(i);
      String[] words = got.get(i).split(" ");
      boolean reads = words[1].equals("yes");
      boolean writes = words[2].equals("yes");
      boolean exists = Files.exists(path, LinkOption.NOFOLLOW_LINKS);
      answers++;
      if (!exists) {
        // Whatever holds its place can be neither read for anything nor written.
        if (writes && !model.canWrite(path)) {
          disagree(seed, layout, given, path, got.get(i), model);
        }
        continue;
      }
      if (writes != model.canWrite(path)) {
        disagree(seed, layout, given, path, got.get(i), model);
      }
      boolean standsIn = words[0].equals("dir") && model.holdsMoreThan(path);
      if (reads != model.canRead(path) && !(reads && standsIn)) {
        disagree(seed, layout, given, path, got.get(i), model);
      }
      // Where something is given back in a hidden directory, directories of the sandbox stand in
      // for
      // those on the way; nothing else of it has even a name.
      if (!model.canRead(path)
          && !model.canRead(path.getParent())
          && !model.holdsMoreThan(path)
          && !words[0].equals("none")) {
        disagree(seed, layout, given, path, got.get(i), model);
      }
    }
  }

  /** Whether a command met what was said before: these paths have no links. */
  private static boolean isExplained(PathExplanation said, String met, Model model) {
    String[] words = met.split(" ", -1);
    boolean reads = words[1].equals("yes");
    boolean writes = words[2].equals("yes");
    boolean standsIn = words[0].equals("dir") && model.holdsMoreThan(said.real());
    boolean exists = Files.exists(said.real(), LinkOption.NOFOLLOW_LINKS);
    return said.real().equals(said.path())
        && switch (said.presence()) {
          case PRESENT ->
              exists
                  && switch (said.access()) {
                    case WRITE -> reads && writes;
                    case READ -> reads && !writes;
                    case HIDDEN -> (!reads || standsIn) && !writes;
                    case PRIVATE, EMPTY, OWN -> false;
                  };
          case MISSING, BLOCKED -> !exists && words[0].equals("none");
          case HELD -> !exists && !writes;
          case UNKNOWN -> false;
        };
  }

  private static void disagree(
      long seed, Layout layout, List<Given> given, Path path, String got, Model model) {
    fail(
        "%s%ndisagreement about %s: inside %s, the model says read %s, write %s"
            .formatted(
                describe(seed, layout, given),
                path,
                got,
                model.canRead(path),
                model.canWrite(path)));
  }

  private static String describe(long seed, Layout layout, List<Given> given) {
    StringBuilder text =
        new StringBuilder("repeat with -Dzett.fuzz.seed=" + seed + " -Dzett.fuzz.seconds=0\n");
    for (Layout.Entry entry : layout.entries) {
      text.append(entry.directory() ? "  dir  " : entry.link() ? "  link " : "  file ");
      text.append(entry.path());
      if (entry.link()) {
        try {
          text.append(" -> ").append(Files.readSymbolicLink(entry.path()));
        } catch (IOException e) {
          text.append(" (gone)");
        }
      }
      text.append('\n');
    }
    given.forEach(each -> text.append("  ").append(each).append('\n'));
    return text.toString();
  }
}
