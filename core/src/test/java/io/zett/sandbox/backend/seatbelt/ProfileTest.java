package io.zett.sandbox.backend.seatbelt;

import static io.zett.sandbox.backend.seatbelt.MacView.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.backend.seatbelt.language.Attempt;
import io.zett.sandbox.backend.seatbelt.language.Attempt.Fact;
import io.zett.sandbox.backend.seatbelt.language.EveryPrecedence;
import io.zett.sandbox.backend.seatbelt.language.Precedence;
import io.zett.sandbox.backend.seatbelt.language.SandboxExec;
import io.zett.sandbox.rules.PathRule.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a profile decides that only a Mac has. */
class ProfileTest {

  private static EveryPrecedence decides(MacView view) {
    return decides(view, false);
  }

  private static EveryPrecedence decides(MacView view, boolean terminal) {
    Profile profile = Profile.of(view.request(), terminal);
    return EveryPrecedence.of(new SandboxExec(profile.text(), profile.parameters(), List.of()));
  }

  private static Attempt named(String operation, String name) {
    return Attempt.of(operation).with(Fact.NAME, name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/tmp/x", "/private/tmp/x"})
  void aWorkspaceBehindALinkOfEveryMacIsWritableUnderBothNames(String given) {
    EveryPrecedence decides = decides(new MacView().workspace(path(given)));

    assertThat(decides.allows("file-write-create", "/private/tmp/x/new")).isTrue();
    assertThat(decides.allows("file-write-create", "/tmp/x/new")).isTrue();
    assertThat(decides.allows("file-write-unlink", "/private/tmp/x")).isFalse();
  }

  @Test
  void aDeniedPathIsDeniedUnderEveryNameItHas() {
    EveryPrecedence decides =
        decides(
            new MacView()
                .linked(Kind.DENY_READ, path("/var/s"), path("/private/var/s"), path("/var"))
                .directory(Kind.DENY_READ, path("/System/Volumes/Data/Users/me/t")));

    for (String name :
        List.of("/var/s", "/private/var/s", "/Users/me/t", "/System/Volumes/Data/Users/me/t")) {
      assertThat(decides.allows("file-read-data", name + "/key")).as(name).isFalse();
    }
    assertThat(decides.allows("file-read-data", "/private/var/other")).isTrue();
  }

  @Test
  void aDeniedPathIsDeniedInWhateverCaseItIsWritten() {
    EveryPrecedence decides =
        decides(
            new MacView()
                .directory(Kind.DENY_READ, path("/Users/me/.SSH"))
                .missing(
                    Kind.DENY_WRITE,
                    path("/Users/me/project/a/.env"),
                    path("/Users/me/project/a")));

    assertThat(decides.allows("file-read-data", "/Users/me/.ssh/id")).isFalse();
    assertThat(decides.allows("file-read-data", "/Users/me/.ssh2")).isTrue();
    assertThat(decides.allows("file-write-create", "/Users/me/project/a/.ENV")).isFalse();
    assertThat(decides.allows("file-write-create", "/Users/me/project/A")).isFalse();
    assertThat(decides.allows("file-write-create", "/Users/me/project/b")).isTrue();
  }

  @Test
  void aPathTooLongForAnExpressionIsStillDenied() {
    String longName = "/Users/me/" + "n".repeat(250);
    EveryPrecedence decides = decides(new MacView().file(Kind.DENY_READ, path(longName)));

    assertThat(AnyCase.subtree(path(longName))).isEmpty();
    assertThat(decides.allows("file-read-data", longName)).isFalse();
  }

  @Test
  void onTheWayToWhatIsGivenBackOnlyTheDirectoriesAreLookedAt() {
    EveryPrecedence decides =
        decides(
            new MacView()
                .directory(Kind.DENY_READ, path("/opt/s"))
                .directory(Kind.ALLOW_READ, path("/opt/s/a/public")));

    assertThat(decides.allows("file-read-data", "/opt/s/a/public/x")).isTrue();
    assertThat(decides.allows("file-read-metadata", "/opt/s")).isTrue();
    assertThat(decides.allows("file-read-metadata", "/opt/s/a")).isTrue();
    assertThat(decides.allows("file-read-data", "/opt/s/a")).isFalse();
    assertThat(decides.allows("file-read-metadata", "/opt/s/b")).isFalse();
  }

  @Test
  void ofTheSessionsOwnDirectoryOnlyWhatIsTheCommandsCanBeWritten() {
    EveryPrecedence decides = decides(new MacView(policy -> policy.home(HomeMode.PRIVATE)));
    String session = "/private/var/folders/x1/abc/T/zett-1";

    assertThat(decides.allows("file-write-create", session + "/scratch/f")).isTrue();
    assertThat(decides.allows("file-write-create", session + "/home/f")).isTrue();
    assertThat(decides.allows("file-write-create", session + "/run/f")).isFalse();
    assertThat(decides.allows("file-write-unlink", session + "/scratch")).isFalse();
    assertThat(decides.allows("file-read-data", "/Users/me/notes")).isFalse();
    assertThat(decides.allows("file-read-data", "/Users/me/project/f")).isTrue();
  }

  @Test
  void socketsOfTheHostAreClosedAndItsResolverOpenOnlyWithTheNetwork() {
    Attempt resolver = Attempt.of("network-outbound").path("/private/var/run/mDNSResponder");
    EveryPrecedence none = decides(new MacView());
    EveryPrecedence network = decides(new MacView(policy -> policy.network(true)));
    EveryPrecedence strict =
        decides(new MacView(policy -> policy.network(true).blockUnixSockets(true)));

    for (String socket : List.of("/private/var/run/docker.sock", "/private/tmp/agent.1")) {
      for (EveryPrecedence each : List.of(none, network, strict)) {
        assertThat(each.allows("network-outbound", socket)).as(socket).isFalse();
      }
    }
    assertThat(none.allows(resolver)).isFalse();
    assertThat(network.allows(resolver)).isTrue();
    assertThat(strict.allows(resolver)).isFalse();
  }

  @Test
  void aDualStackJvmReachesTheLoopbackInterfaceWithTheNetworkAndNothingWithout() {
    Attempt mapped = Attempt.of("network-outbound").with(Fact.REMOTE, "::ffff:127.0.0.1 8080");
    Attempt listen = Attempt.of("network-bind").with(Fact.LOCAL, ":: 0");
    EveryPrecedence network = decides(new MacView(policy -> policy.network(true)));

    assertThat(network.allows(mapped)).isTrue();
    assertThat(network.allows(listen)).isTrue();
    assertThat(decides(new MacView()).allows(mapped)).isFalse();
    assertThat(decides(new MacView()).allows(listen)).isFalse();
  }

  @Test
  void whatAJvmAsksAtItsStartIsAllowed() {
    EveryPrecedence decides = decides(new MacView());

    for (String name :
        List.of(
            "hw.memsize", "hw.ncpu", "hw.optional.arm64", "kern.osrelease", "kern.proc.pid.1")) {
      assertThat(decides.allows(named("sysctl-read", name))).as(name).isTrue();
    }
    assertThat(decides.allows(named("sysctl-write", "kern.grade_cputype"))).isTrue();
    assertThat(decides.allows(named("sysctl-write", "kern.hostname"))).isFalse();
    assertThat(decides.allows(named("sysctl-read", "kern.procargs2"))).isFalse();
    for (String name :
        List.of("com.apple.bsd.dirhelper", "com.apple.system.opendirectoryd.membership")) {
      assertThat(decides.allows(named("mach-lookup", name))).as(name).isTrue();
    }
    assertThat(decides.allows(named("mach-lookup", "com.apple.pasteboard.1"))).isFalse();
    assertThat(decides.allows(Attempt.of("dynamic-code-generation"))).isTrue();
    assertThat(decides.allows("file-map-executable", "/usr/lib/libjli.dylib")).isTrue();
    assertThat(decides.allows("file-read-data", "/")).isTrue();
  }

  @Test
  void processesOfTheHostAreOutOfReach() {
    EveryPrecedence decides = decides(new MacView());

    for (String operation : List.of("signal", "process-info-pidinfo", "mach-priv-task-port")) {
      Attempt attempt = Attempt.of(operation);
      assertThat(decides.allows(attempt.with(Fact.TARGET, "same-sandbox"))).isTrue();
      assertThat(decides.allows(attempt.with(Fact.TARGET, "others"))).isFalse();
    }
  }

  @Test
  void theNullDeviceIsWritableWhileItIsTheDevice() {
    EveryPrecedence decides = decides(new MacView());
    Attempt write = Attempt.of("file-write-data").path("/dev/null");

    assertThat(decides.allows(write.with(Fact.VNODE_TYPE, "CHARACTER-DEVICE"))).isTrue();
    assertThat(decides.allows(write.with(Fact.VNODE_TYPE, "REGULAR-FILE"))).isFalse();
    assertThat(decides.allows("file-write-data", "/dev/disk0")).isFalse();
  }

  @Test
  void terminalsAreOpenOnlyWhereThereIsOne() {
    Attempt terminal =
        Attempt.of("file-write-data")
            .path("/dev/ttys001")
            .with(Fact.EXTENSION, "com.apple.sandbox.pty");

    assertThat(decides(new MacView()).allows(terminal)).isFalse();
    assertThat(decides(new MacView()).allows(Attempt.of("pseudo-tty"))).isFalse();
    assertThat(decides(new MacView(), true).allows(terminal)).isTrue();
    assertThat(decides(new MacView(), true).allows(Attempt.of("pseudo-tty"))).isTrue();
    assertThat(decides(new MacView(), true).allows("file-write-data", "/dev/ttys001")).isFalse();
  }

  @Test
  void noSetIdFileAndNoSecondNameOfAFileCanBeMade() {
    EveryPrecedence decides = decides(new MacView());

    for (Precedence precedence : List.of(Precedence.LAST, Precedence.NARROWEST_OPERATION)) {
      assertThat(
              decides
                  .profile(precedence)
                  .allows(Attempt.of("file-write-setugid").path("/Users/me/project/f")))
          .isFalse();
    }
    assertThat(decides.allows("file-link", "/Users/me/project/f")).isFalse();
    assertThat(decides.allows("file-write-mode", "/Users/me/project/f")).isTrue();
    assertThat(decides.allows(Attempt.of("system-fcntl").with(Fact.NUMBER, "80"))).isFalse();
  }

  @Test
  void hidingTheWholeDiskOrTheWorkspaceIsRefused() {
    assertThatThrownBy(() -> decides(new MacView().directory(Kind.DENY_READ, path("/"))))
        .isInstanceOf(SandboxSetupException.class)
        .hasMessageContaining("every program");
    assertThatThrownBy(
            () ->
                decides(
                    new MacView()
                        .directory(Kind.DENY_READ, path("/Users/me"))
                        .directory(Kind.DENY_READ, MacView.WORKSPACE)))
        .isInstanceOf(SandboxSetupException.class)
        .hasMessageContaining("hidden by denyRead");
  }
}
