package io.zett.sandbox.backend.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.backend.bubblewrap.BubblewrapProbe.Finding;
import io.zett.sandbox.backend.bubblewrap.BubblewrapProbe.Unusable;
import io.zett.sandbox.backend.bubblewrap.BubblewrapProbe.Usable;
import io.zett.sandbox.host.LauncherSearch;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a launcher that does not work means, and how to mend it. */
class BubblewrapProbeTest {

  private static final UnixPath BWRAP = UnixPath.ofText("/usr/bin/bwrap");
  private static final LauncherSearch FOUND = new LauncherSearch(Optional.of(BWRAP), List.of());
  private static final OptionalLong NONE = OptionalLong.empty();
  private static final Machine PLAIN =
      new Machine(List.of("debian"), false, false, NONE, NONE, OptionalLong.of(100));
  private static final Machine CONTAINER =
      new Machine(List.of("debian"), true, true, NONE, NONE, OptionalLong.of(100));

  private static Unusable failing(String err, Machine machine) {
    Finding finding =
        BubblewrapProbe.probe(
            FOUND, machine, (_, _) -> new ProgramRunner.Finished(1, "", err + "\n"));
    Unusable unusable = (Unusable) finding;
    assertThat(unusable.fix()).doesNotContainIgnoringCase("as root");
    assertThat(unusable.problem()).doesNotContainIgnoringCase("as root");
    return unusable;
  }

  @Test
  void theLauncherOfThisMachineWorks() {
    Posix posix = Posix.system();
    Finding finding =
        BubblewrapProbe.probe(
            LauncherSearch.of(posix, "bwrap", null),
            Machine.inspect(posix),
            BubblewrapProbeTest::run);

    assertThat(finding).isInstanceOf(Usable.class);
    assertThat(((Usable) finding).version()).matches("\\d+\\.\\d+\\.\\d+");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "debian|sudo apt-get update && sudo apt-get install -y bubblewrap",
        "fedora|sudo dnf install -y bubblewrap",
        "alpine|doas apk add bubblewrap",
        "arch|sudo pacman -S --noconfirm bubblewrap",
      })
  void aMissingLauncherIsMendedByTheDistributionsCommand(String distribution, String command) {
    Machine machine = new Machine(List.of("other", distribution), false, false, NONE, NONE, NONE);
    Finding finding =
        BubblewrapProbe.probe(
            new LauncherSearch(Optional.empty(), List.of()),
            machine,
            (_, _) -> {
              throw new AssertionError();
            });

    assertThat(finding).isEqualTo(new Unusable("bubblewrap (bwrap) is not installed", command));
  }

  @Test
  void ubuntusRestrictionIsNamed() {
    Machine ubuntu =
        new Machine(
            List.of("ubuntu", "debian"),
            false,
            false,
            OptionalLong.of(1),
            NONE,
            OptionalLong.of(9));
    for (String said :
        List.of(
            "bwrap: setting up uid map: Permission denied",
            "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted",
            "bwrap: No permissions to create new namespace, likely because the kernel does not"
                + " allow non-privileged user namespaces.")) {
      Unusable unusable = failing(said, ubuntu);
      assertThat(unusable.problem()).contains("AppArmor").contains(said.substring(0, 20));
      assertThat(unusable.fix())
          .contains("kernel.apparmor_restrict_unprivileged_userns=0")
          .contains("profile bwrap /usr/bin/bwrap");
    }
  }

  @Test
  void switchedOffNamespacesAreMendedByTheirSetting() {
    String said = "bwrap: No permissions to create new namespace";
    Machine debian =
        new Machine(
            List.of("debian"), false, false, NONE, OptionalLong.of(0), OptionalLong.of(100));
    Machine none =
        new Machine(List.of("debian"), false, false, NONE, OptionalLong.of(1), OptionalLong.of(0));

    assertThat(failing(said, debian).fix()).contains("kernel.unprivileged_userns_clone=1");
    assertThat(failing(said, none).fix()).contains("user.max_user_namespaces=15000");
    assertThat(
            failing("bwrap: Creating new namespace failed: No space left on device", PLAIN).fix())
        .contains("user.max_user_namespaces");
  }

  @Test
  void aContainerIsMendedWhereItIsStarted() {
    assertThat(
            failing("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", CONTAINER)
                .fix())
        .contains("systempaths=unconfined")
        .contains("procMount: Unmasked");
    assertThat(failing("bwrap: No permissions to create new namespace", CONTAINER).fix())
        .contains("seccomp=unconfined")
        .contains("apparmor=unconfined");
    assertThat(failing("bwrap: Failed to make / slave: Permission denied", CONTAINER).fix())
        .contains("apparmor=unconfined");
  }

  @Test
  void anOldLauncherIsToldTheVersionItNeeds() {
    assertThat(failing("bwrap: Unknown option --disable-userns", PLAIN).problem())
        .contains("too old")
        .contains("0.8.0");
    Finding old =
        BubblewrapProbe.probe(
            FOUND, PLAIN, (_, _) -> new ProgramRunner.Finished(0, "bubblewrap 0.4.1\n", ""));
    assertThat(((Unusable) old).problem()).contains("0.4.1").contains("0.8.0");
  }

  @Test
  void aLauncherThatDoesNothingIsNotTakenForOneThatWorks() {
    Finding finding =
        BubblewrapProbe.probe(FOUND, PLAIN, (_, _) -> new ProgramRunner.Finished(0, "", ""));

    assertThat(finding).isInstanceOf(Unusable.class);
  }

  @Test
  void aLauncherThatOthersMayChangeIsNotTaken(@TempDir Path directory) throws Exception {
    Path mine = Files.writeString(directory.toRealPath().resolve("bwrap"), "#!/bin/sh\n");
    Trial.mode(mine, "rwxr-xr-x");
    Posix posix = Posix.system();
    assertThat(LauncherSearch.of(posix, "bwrap", UnixPath.of(mine)).found())
        .contains(UnixPath.of(mine));

    Trial.mode(mine, "rwxr-xrwx");
    LauncherSearch search = LauncherSearch.of(posix, "bwrap", UnixPath.of(mine));

    assertThat(search.found()).isEmpty();
    assertThat(search.rejected()).singleElement().asString().contains("changed by others");
    Finding finding =
        BubblewrapProbe.probe(search, PLAIN, (_, _) -> new ProgramRunner.Finished(0, "", ""));
    assertThat(((Unusable) finding).problem()).contains("trusted");
  }

  @Test
  void aLauncherThatBelongsToNobodyIsNotTakenForTheSystems(@TempDir Path directory)
      throws Exception {
    Posix posix = Posix.system();
    assumeTrue(posix.geteuid() == 0, "only root gives files away");
    Path given = Files.writeString(directory.toRealPath().resolve("bwrap"), "#!/bin/sh\n");
    Trial.mode(given, "rwxr-xr-x");
    Files.setAttribute(given, "unix:uid", 65534);

    LauncherSearch search = LauncherSearch.of(posix, "bwrap", UnixPath.of(given));

    assertThat(search.found()).isEmpty();
    assertThat(search.rejected()).singleElement().asString().contains("replaced by the owner");
  }

  @Test
  void aSetUidLauncherIsToldAsSuchToOrdinaryUsersAlone() {
    LauncherSearch setId = new LauncherSearch(Optional.of(BWRAP), List.of(), true);
    String said = "bwrap: cannot open /proc/sys/user/max_user_namespaces: Permission denied";
    ProgramRunner runner = (_, _) -> new ProgramRunner.Finished(1, "", said);
    Unusable user = (Unusable) BubblewrapProbe.probe(setId, PLAIN, runner);
    Unusable root = (Unusable) BubblewrapProbe.probe(setId, CONTAINER, runner);

    assertThat(user.problem()).contains("set-uid root").contains(said);
    assertThat(user.fix()).contains("chmod u-s /usr/bin/bwrap");
    assertThat(root.fix()).doesNotContain("chmod");
  }

  private static ProgramRunner.Finished run(UnixPath program, List<String> arguments) {
    List<String> line = new ArrayList<>(arguments);
    line.addFirst(program.toString());
    try {
      Process process = new ProcessBuilder(line).start();
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      return new ProgramRunner.Finished(process.waitFor(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
