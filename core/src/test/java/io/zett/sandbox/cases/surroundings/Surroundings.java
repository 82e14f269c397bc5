package io.zett.sandbox.cases.surroundings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.cases.outside.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Another machine for one program: a shell changes its own mount namespace (an ordinary user's also
 * its own user namespace, in which it is root, as in a rootless container) and then starts a {@link
 * Guest}. All of it is gone with the program.
 *
 * <p>The shell finds the test's directory in {@code $B}; the guest's workspace is {@code $B/W}, its
 * temporary directory {@code $B/tmp}.
 */
final class Surroundings {

  private final Path base;
  private final List<String> options = new ArrayList<>();
  private boolean ownTemporary = true;

  /** How a guest fared. */
  record Visit(List<String> lines, boolean ran) {

    /** Everything that was said with a word in front. */
    List<String> said(String word) {
      return lines.stream()
          .filter(line -> line.startsWith(word + " "))
          .map(line -> line.substring(word.length() + 1))
          .toList();
    }

    /** The command ran, isolated, and printed this. */
    void assertPrinted(String... expected) {
      assertThat(lines).contains("isolated true", "backend bubblewrap", "exit 0");
      assertThat(said("out")).as(lines.toString()).containsExactly(expected);
      assertThat(ran).isTrue();
    }

    /** Nothing ran; this was said of why, and how it is mended. */
    void assertRefused(String problem, String... mend) {
      assertThat(lines).contains("isolated false");
      assertThat(said("problem")).as(lines.toString()).singleElement().asString().contains(problem);
      assertThat(said("fix")).singleElement().asString().contains(mend);
      assertThat(said("exit")).isEmpty();
      assertThat(ran).isFalse();
    }
  }

  Surroundings(Path base) throws IOException {
    this.base = base;
    Files.createDirectories(base.resolve("W"));
    Files.createDirectories(base.resolve("tmp"));
  }

  /** The words that give a shell its own namespaces. */
  static List<String> namespaces() {
    List<String> words = new ArrayList<>(List.of("unshare"));
    if (!Programs.isRoot()) {
      words.addAll(List.of("--user", "--map-root-user"));
    }
    words.add("--mount");
    return words;
  }

  /** Options of the guest's JVM. */
  Surroundings options(String... words) {
    options.addAll(List.of(words));
    return this;
  }

  /** The guest has the usual temporary directory. */
  Surroundings withUsualTemporary() {
    ownTemporary = false;
    return this;
  }

  /** Changes the machine by a shell text, and lets a guest run another in a sandbox. */
  Visit visit(String change, String command) {
    return visit(namespaces(), change, command);
  }

  /** The same with other namespaces. */
  Visit visit(List<String> namespaces, String change, String command) {
    List<String> probe = new ArrayList<>(namespaces);
    probe.add("true");
    assumeTrue(
        Programs.tried(probe.toArray(String[]::new)).status() == 0,
        "this user may make no namespaces: " + namespaces);
    List<String> wrapper = new ArrayList<>(namespaces);
    wrapper.addAll(List.of("/bin/sh", "-ec", change + "\nexec \"$@\"", "sh"));
    ChildJvm.Builder jvm =
        ChildJvm.of(Guest.class)
            .wrapper(wrapper.toArray(String[]::new))
            .options("-XX:-UsePerfData")
            .options(options.toArray(String[]::new))
            .env("B", base.toString());
    if (ownTemporary) {
      jvm.temporary(base.resolve("tmp"));
    }
    Path mark = base.resolve("W/ran");
    deleted(mark);
    try (ChildJvm child =
        jvm.start(base.resolve("W").toString(), "echo > ran || exit 99; " + command)) {
      List<String> lines = child.lines();
      assertThat(child.await()).as(lines.toString()).isZero();
      return new Visit(lines, Files.exists(mark));
    }
  }

  private static void deleted(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
