package io.zett.sandbox.cases.surroundings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.cases.outside.Programs;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A home that is not as it should be, and a disk that cannot be written. */
class HomesTest {
  private static final String READ_ONLY =
      """
      mount --bind $B $B
      mount -o remount,bind,ro /
      if touch /zett-new 2>/dev/null; then exit 1; fi
      """;

  @TempDir Path temporary;
  private Surroundings surroundings;

  @BeforeEach
  void surroundings() throws IOException {
    surroundings = new Surroundings(temporary.toRealPath());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unset HOME",
        "export HOME=",
        "export HOME=relative/home",
        "export HOME=/nonexistent",
        "export HOME=$B/file; touch $HOME",
        "export HOME=$B/closed; mkdir -m 000 $HOME",
        "export HOME=$B/loop; ln -s loop $HOME",
        "export HOME=/",
      })
  void commandsRunWhateverTheHomeIs(String change) {
    surroundings.visit(change, "echo ran").assertPrinted("ran");
  }

  @Test
  void withoutAVariableTheAccountsCredentialsAreHiddenAllTheSame() {
    String home = Programs.run("sh", "-c", "getent passwd $(id -u) | cut -d: -f6").strip();
    assumeTrue(!home.isEmpty(), "this user has no account");
    surroundings
        .visit(
            "unset HOME; mkdir $B/home; echo SECRET > $B/home/.netrc\n"
                + "sed \"s,:"
                + home
                + ":,:$B/home:,\" /etc/passwd > $B/passwd\n"
                + "mount --bind $B/passwd /etc/passwd; grep -q SECRET $B/home/.netrc",
            "cat " + temporary + "/home/.netrc 2>/dev/null | grep -c SECRET; true")
        .assertPrinted("0");
  }

  @Test
  void aReadOnlyDiskIsEnoughWithOneDirectoryForTemporaryFiles() {
    surroundings
        .visit(READ_ONLY, "touch /tmp/own /zett-new 2>/dev/null; cd /tmp; ls own; rm own")
        .assertPrinted("own");
  }

  @Test
  void withoutSuchADirectoryItIsToldHowToNameOne() {
    Surroundings.Visit visit = surroundings.withUsualTemporary().visit(READ_ONLY, "true");

    assertThat(visit.said("setup"))
        .singleElement()
        .asString()
        .contains("/tmp", "Read-only file system", "-Djava.io.tmpdir=DIR");
    assertThat(visit.ran()).isFalse();
  }
}
