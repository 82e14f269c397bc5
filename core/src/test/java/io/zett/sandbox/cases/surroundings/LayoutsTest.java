package io.zett.sandbox.cases.surroundings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.cases.outside.Programs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Root file systems that are laid out otherwise: an empty one that shows parts of this machine's in
 * other places, entered with {@code pivot_root} as a container runtime does it.
 */
class LayoutsTest {

  /** What every layout has; {@code show FROM TO} puts a tree of this machine somewhere. */
  private static final String ROOT =
      """
      R=$B/root
      mkdir -p $R
      mount -t tmpfs -o mode=755 zett-root $R
      show() {
        if test -d "$1"; then mkdir -p "$R$2"; else mkdir -p "$R${2%/*}"; : > "$R$2"; fi
        mount --rbind "$1" "$R$2"
      }
      show /proc /proc
      show /sys /sys
      show /dev /dev
      show /etc /etc
      mkdir -p $R/run $R/tmp $R/root $R/var/tmp $R/old
      chmod 1777 $R/tmp $R/var/tmp
      for p in $SHOWN; do show $p $p; done
      """;

  private static final String ENTER =
      """
      cd $R
      PATH=$PATH:/usr/sbin:/sbin pivot_root . old
      cd /
      export PATH=${INSIDE:-$PATH}
      umount -l /old
      rmdir /old
      """;

  /** The kernel's loader of programs, and the libraries, where programs look for them. */
  private static final String LIBRARIES =
      """
      show "$(readlink -f /lib)" /lib
      test ! -e /lib64 || show "$(readlink -f /lib64)" /lib64
      """;

  private static final String TELL =
      "ls -ld /bin | cut -c 1; command -v sh; touch /usr/x /bin/x 2>/dev/null || echo kept";

  @TempDir Path temporary;
  private Surroundings surroundings;

  @BeforeEach
  void surroundings() throws IOException {
    surroundings = new Surroundings(temporary.toRealPath());
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/bwrap")), "bubblewrap is not where layouts take it");
  }

  /** The JVM and the classes stay where they are, and so does the test's directory. */
  private String root(Path base) {
    Set<Path> shown = new LinkedHashSet<>();
    shown.add(Path.of(System.getProperty("java.home")));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry).toAbsolutePath();
      if (Files.isDirectory(path)) {
        shown.add(path);
      }
    }
    shown.add(base.resolve("W"));
    shown.add(base.resolve("tmp"));
    StringBuilder words = new StringBuilder();
    for (Path path : shown) {
      assertThat(path.toString()).doesNotContain(" ");
      words.append(path).append(' ');
    }
    return "SHOWN='" + words + "'\n" + ROOT;
  }

  private Surroundings.Visit in(String layout, String command) throws IOException {
    return surroundings.visit(root(temporary.toRealPath()) + layout + ENTER, command);
  }

  @Test
  void aMergedUsrIsALinkAndWorks() throws IOException {
    String layout =
        """
        show /usr /usr
        ln -s usr/bin usr/sbin usr/lib $R
        test ! -e /lib64 || ln -s usr/lib64 $R/lib64
        """;
    in(layout, TELL).assertPrinted("l", "/usr/bin/sh", "kept");
  }

  @Test
  void anOldLayoutWithABinOfItsOwnWorks() throws IOException {
    String layout =
        """
        for d in /usr/bin /usr/sbin /usr/lib /usr/share; do show $d $d; done
        show /usr/bin /bin
        show /usr/sbin /sbin
        """;
    in(layout + LIBRARIES, TELL).assertPrinted("d", "/usr/bin/sh", "kept");
  }

  /** Nothing in {@code /usr/bin} but {@code env}, programs by links in the system's profile. */
  @Test
  void nixosKeepsProgramsInItsStore() throws IOException {
    String layout =
        """
        show /usr/bin /nix/store/0-programs/bin
        show /usr/lib /nix/store/0-programs/lib
        mkdir -p $R/run/current-system/sw $R/bin $R/usr/bin
        ln -s /nix/store/0-programs/bin $R/run/current-system/sw/bin
        ln -s /nix/store/0-programs/bin/sh $R/bin/sh
        ln -s /nix/store/0-programs/bin/env $R/usr/bin/env
        INSIDE=/run/current-system/sw/bin
        """;
    in(layout + LIBRARIES, "command -v ls; ls /bin /usr/bin; touch /nix/x 2>/dev/null || echo kept")
        .assertPrinted(
            "/run/current-system/sw/bin/ls", "/bin:", "sh", "", "/usr/bin:", "env", "kept");
  }

  /** BusyBox for every tool, no bash, no GNU; but not Alpine's C library. */
  @Test
  void aRootWithBusyBoxAloneWorks() throws IOException {
    Programs.Result busybox = Programs.tried("sh", "-c", "command -v busybox");
    assumeTrue(busybox.status() == 0, "busybox is not installed");
    String layout =
        """
        show %s /bin/busybox
        show /usr/bin/bwrap /usr/bin/bwrap
        for tool in $($R/bin/busybox --list); do
          test $tool = busybox || ln -s busybox $R/bin/$tool
        done
        """
            .formatted(busybox.output().strip());
    in(
            layout + LIBRARIES,
            "readlink /bin/sh; readlink /bin/ls; ls -A ~ | wc -l; echo x > f && cat f;"
                + " touch /bin/x 2>/dev/null || echo kept; sleep 100 & ")
        .assertPrinted("busybox", "busybox", "0", "x", "kept");
  }

  @Test
  void withoutAnInstalledBubblewrapTheDistributionsCommandIsTold() throws IOException {
    String layout =
        """
        show /usr /host/usr
        mkdir -p $R/usr/bin
        for program in /usr/bin/*; do
          test $program = /usr/bin/bwrap || ln -s /host$program $R$program
        done
        ln -s usr/bin $R/bin
        ln -s host/usr/sbin $R/sbin
        umount -l $R/etc
        echo ID=alpine > $R/etc/os-release
        """;
    in(layout + LIBRARIES, "true")
        .assertRefused("bubblewrap (bwrap) is not installed", "apk add bubblewrap");
  }
}
