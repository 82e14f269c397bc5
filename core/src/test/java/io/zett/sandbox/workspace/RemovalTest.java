package io.zett.sandbox.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.faults.InterposedPosix;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others do between two steps of taking a placeholder's file away. */
class RemovalTest {

  private final Posix posix = Posix.system();
  private final Map<Integer, Runnable> beforeRename = new HashMap<>();
  private final List<Placeholder> othersHeld = new ArrayList<>();
  private int renames;

  @TempDir Path host;
  private Path workspace;
  private UnixPath env;

  @BeforeEach
  void makeWorkspace() throws IOException {
    workspace = Files.createDirectory(host.toRealPath().resolve("w"));
    env = UnixPath.of(workspace.resolve(".env"));
  }

  private Placeholders placeholders(Posix over) {
    return new Placeholders(over, UnixPath.of(host.resolve("locks")));
  }

  private void hostReplaces(String content) {
    Trees.sh(workspace, "echo \"$1\" > ../new; mv -f ../new .env", content);
  }

  private void anotherAcquires() {
    othersHeld.add(placeholders(posix).acquire(env, false).orElseThrow());
  }

  /** Makes a placeholder and takes it away, with the others' doings before its renames. */
  private void takeAway() {
    Posix raced =
        InterposedPosix.over(
            posix,
            call -> {
              if (call.name().equals("renameat2")) {
                renames++;
                beforeRename.getOrDefault(renames, () -> {}).run();
              }
              return call.proceed();
            });
    placeholders(raced).acquire(env, false).orElseThrow().close();
    othersHeld.forEach(Placeholder::close);
  }

  private List<String> names() {
    return Trees.names(workspace);
  }

  private String passingName() {
    byte[] name = new Slot(posix, -1, env.name(), env, false).passingName();
    return new String(name, StandardCharsets.US_ASCII);
  }

  @Test
  void aFileOfTheHostThatWasMovedAsideIsPutBack() {
    beforeRename.put(1, () -> hostReplaces("REAL"));

    takeAway();

    assertThat(workspace.resolve(".env")).hasContent("REAL\n");
    assertThat(names()).containsExactly(".env");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void itIsPutBackInPlaceOfAnotherPlaceholderOfWhichNothingIsLeft(boolean usualNameIsTaken)
      throws IOException {
    if (usualNameIsTaken) {
      Files.writeString(workspace.resolve(passingName()), "somebody's");
    }
    beforeRename.put(1, () -> hostReplaces("REAL"));
    beforeRename.put(usualNameIsTaken ? 3 : 2, this::anotherAcquires);

    takeAway();

    assertThat(workspace.resolve(".env")).hasContent("REAL\n");
    if (usualNameIsTaken) {
      Files.delete(workspace.resolve(passingName()));
    }
    assertThat(names()).containsExactly(".env");
  }

  @Test
  void anothersPlaceholderThatWasMovedAsideIsPutBack() {
    beforeRename.put(
        1,
        () -> {
          hostReplaces("REAL");
          Trees.sh(workspace, "rm .env");
          anotherAcquires();
        });

    takeAway();

    assertThat(renames).isEqualTo(2);
    assertThat(workspace).isEmptyDirectory();
  }

  @Test
  void anothersPlaceholderThatWasMovedAsideGoesWhenTheHostHasTakenItsPlace() {
    beforeRename.put(
        1,
        () -> {
          Trees.sh(workspace, "rm -f .env");
          anotherAcquires();
        });
    beforeRename.put(2, () -> hostReplaces("REAL"));

    takeAway();

    assertThat(workspace.resolve(".env")).hasContent("REAL\n");
    assertThat(names()).containsExactly(".env");
  }

  @Test
  void twoFilesOfTheHostAreBothKeptTheNewerUnderItsName() {
    beforeRename.put(1, () -> hostReplaces("OLD"));
    beforeRename.put(2, () -> hostReplaces("NEW"));

    takeAway();

    assertThat(workspace.resolve(".env")).hasContent("NEW\n");
    assertThat(workspace.resolve(passingName())).hasContent("OLD\n");
    assertThat(names()).hasSize(2);
  }

  @Test
  void theNewerKeepsItsNameEvenIfItComesBetweenTheLookAndTheExchange() {
    beforeRename.put(1, () -> hostReplaces("OLD"));
    beforeRename.put(2, this::anotherAcquires);
    beforeRename.put(3, () -> hostReplaces("NEW"));

    takeAway();

    assertThat(workspace.resolve(".env")).hasContent("NEW\n");
    assertThat(workspace.resolve(passingName())).hasContent("OLD\n");
    assertThat(names()).hasSize(2);
  }
}
