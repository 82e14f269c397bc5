package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller whose HOME is a name that no text is: bytes that are no UTF-8, in any locale. */
class OddHomesTest {

  /** {@code ProcessBuilder} sets text only. */
  private static final String WITH_ODD_HOME =
      "HOME=\"$1$(printf '/x\\377\\303')\"; export HOME; mkdir -p \"$HOME\"; shift; exec \"$@\"";

  private static final String PLANT =
      "mkdir -p ~/.ssh ~/.aws; echo SECRET | tee ~/.netrc ~/.ssh/id ~/.aws/credentials >&2;"
          + " echo plain > ~/document";

  /** By the variable, by a pattern, and by whatever name a walk of the disk meets. */
  private static final String READ =
      "cat \"$HOME/document\" \"$HOME/.netrc\" ~/.ssh/id; cat x*/.netrc x*/.aws/credentials;"
          + " grep -rhs SECRET . ; printf %s \"${HOME##*/}\" | od -An -tx1";

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  private Unsandboxed.End withOddHome(String locale, List<String> words) throws Exception {
    List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", WITH_ODD_HOME, "sh"));
    all.add(scene.base.toString());
    all.addAll(words);
    return Unsandboxed.end(Caller.start(scene, Map.of("LC_ALL", locale), all));
  }

  @ParameterizedTest
  @ValueSource(strings = {"C", "C.UTF-8"})
  void itsCredentialsAreHiddenAndTheRestIsSeen(String locale) throws Exception {
    withOddHome(locale, List.of("/bin/sh", "-c", PLANT));
    assertThat(withOddHome(locale, List.of("/bin/sh", "-c", READ)).out())
        .as("unsandboxed")
        .startsWith("plain\nSECRET\nSECRET\nSECRET\nSECRET\nSECRET\n");

    Unsandboxed.End end =
        withOddHome(locale, Caller.words(scene, "run=cd " + scene.base + "; " + READ));

    assertThat(end.out()).as(end.err()).isEqualTo("plain\n 78 ff c3\n");
  }

  @Test
  void aPrivateOneIsEmptyAndHasTheSameName() throws Exception {
    withOddHome("C", List.of("/bin/sh", "-c", PLANT));

    Unsandboxed.End end =
        withOddHome(
            "C",
            Caller.words(
                scene,
                "home=private",
                "run=cd " + scene.base + "; " + READ + "; touch ~/new && ls -A ~"));

    assertThat(end.out()).as(end.err()).isEqualTo(" 78 ff c3\nnew\n");
  }
}
