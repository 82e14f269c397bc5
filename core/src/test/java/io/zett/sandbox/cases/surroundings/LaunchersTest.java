package io.zett.sandbox.cases.surroundings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.cases.outside.Programs;
import io.zett.sandbox.host.LauncherSearch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A bubblewrap that is not there, too old, set-uid, or does something else than it should. */
class LaunchersTest {
  @TempDir Path temporary;
  private Path base;
  private Surroundings surroundings;

  @BeforeEach
  void surroundings() throws IOException {
    base = temporary.toRealPath();
    surroundings = new Surroundings(base);
  }

  private Surroundings with(String script) throws IOException {
    Path launcher = Files.writeString(base.resolve("bwrap"), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    return surroundings.options("-D" + LauncherSearch.PROPERTY + "=" + launcher);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"0.4.1|--perms", "0.5.0|--size", "0.6.2|--disable-userns", "0.7.0|--disable-userns"})
  void anOldOneIsToldTheVersionThatIsNeeded(String version, String option) throws IOException {
    with("""
        test "$*" = --version && { echo bubblewrap %s; exit; }
        echo 'bwrap: Unknown option %s' >&2
        exit 1
        """
            .formatted(version, option))
        .visit("", "true")
        .assertRefused("too old", LauncherSearch.PROPERTY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exit 1|it ended with status 1|--unshare-all",
        "exit 0|it ended with status 0|--unshare-all",
        "echo bubblewrap 0.8.0; exit 1|it ended with status 1|--unshare-all",
        "kill -KILL $$|it ended with status 137|--unshare-all",
        "echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1|AppArmor|unconfined",
        "echo \"bwrap: Can't mount proc on /newroot/proc: x\" >&2; exit 1|hides parts|unmask=ALL"
      })
  void oneThatFailsIsNeverGoneWithout(String script, String problem, String fix)
      throws IOException {
    with(script).visit("", "true").assertRefused(problem, fix);
  }

  /** It even calls itself a good version, and runs what it is given on the host. */
  @Test
  void oneThatIsolatesNothingIsFoundOutBeforeTheCommandBegins() throws IOException {
    Surroundings.Visit visit =
        with("""
            case " $* " in *" --version "*) echo bubblewrap 0.8.0; exit ;; esac
            while [ $# -gt 0 ]; do
              case $1 in /*) exec "$@" ;; esac
              shift
            done
            """)
            .visit("", "true");

    assertThat(visit.said("setup")).as(visit.toString()).isNotEmpty();
    assertThat(visit.ran()).isFalse();
  }

  @Test
  void aMissingOneIsMendedByInstallingIt() {
    surroundings
        .options("-D" + LauncherSearch.PROPERTY + "=" + base.resolve("no-such"))
        .visit("", "true")
        .assertRefused("is missing", "bubblewrap");
  }

  @Test
  void inPlaceOfAFileSomethingElseIsNoLauncher() {
    surroundings
        .visit(
            "for f in /usr/bin/bwrap /usr/local/bin/bwrap /bin/bwrap; do\n"
                + "  test ! -e $f || mount --bind /dev/null $f\n"
                + "done",
            "true")
        .assertRefused("no bubblewrap that can be trusted", "bubblewrap");
  }

  @Test
  void aSetUidOneThatLacksRightsIsMendedByTakingTheBitAway() {
    assumeTrue(Programs.isRoot(), "only root makes what is set-uid root");
    String user = "exec setpriv --reuid=1000 --regid=1000 --clear-groups \"$@\"";
    String copy =
        """
        chown -R 1000:1000 $B/W $B/tmp
        chmod 755 $B
        mkdir -p $B/own
        mount -t tmpfs -o mode=755 zett $B/own
        cp "$(command -v bwrap)" $B/own/bwrap
        chmod 4755 $B/own/bwrap
        """;
    Path launcher = base.resolve("own/bwrap");
    surroundings.options("-D" + LauncherSearch.PROPERTY + "=" + launcher);
    surroundings
        .visit(copy + user, "true")
        .assertRefused("is set-uid root", "sudo chmod u-s " + launcher);
    surroundings.visit(copy + "chmod u-s $B/own/bwrap\n" + user, "echo ran").assertPrinted("ran");
    surroundings.visit(copy + "chown -R 0:0 $B/W $B/tmp", "echo root").assertPrinted("root");
  }
}
