package io.zett.sandbox.cases.surroundings;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.backend.bubblewrap.SeccompOptions;
import io.zett.sandbox.backend.bubblewrap.SeccompProgram;
import io.zett.sandbox.posix.Architecture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the surroundings keep from a sandbox: user namespaces, a {@code /proc}, system calls. */
class KernelSwitchesTest {
  private static final List<String> OWN_USERS =
      List.of("unshare", "--user", "--map-root-user", "--mount");

  @TempDir Path temporary;
  private Surroundings surroundings;

  @BeforeEach
  void surroundings() throws IOException {
    surroundings = new Surroundings(temporary.toRealPath());
  }

  @Test
  void inARootlessContainerSandboxesWork() {
    surroundings
        .visit(
            OWN_USERS,
            "test $(id -u) = 0",
            "id -u; test $(ls /proc | grep -c '^[0-9]') -lt 9 && echo few")
        .assertPrinted("12345", "few");
  }

  /**
   * Since Linux 5.12 whoever maps root into a user namespace needs it (kernel/user_namespace.c).
   */
  @Test
  void ofAllCapabilitiesRootNeedsOne() {
    String drop = "exec setpriv --inh-caps=-all --no-new-privs --bounding-set=-all";
    surroundings
        .visit(OWN_USERS, drop + ",+setfcap \"$@\"", "id -u; grep CapBnd /proc/self/status")
        .assertPrinted("12345", "CapBnd:\t0000000000000000");
    surroundings
        .visit(OWN_USERS, drop + " \"$@\"", "true")
        .assertRefused("SETFCAP", "--cap-add SETFCAP", "--user 1000");
  }

  @Test
  void anOrdinaryUserNeedsNoCapabilityAndNoNewPrivileges() {
    String user = "exec unshare --user --map-user=1000 --map-group=1000";
    surroundings
        .visit(OWN_USERS, user + " setpriv --no-new-privs \"$@\"", "id -u")
        .assertPrinted("1000");
  }

  @Test
  void switchedOffUserNamespacesAreNamedWithTheirSetting() {
    surroundings
        .visit(OWN_USERS, "echo 0 > /proc/sys/user/max_user_namespaces", "true")
        .assertRefused(
            "user namespaces are switched off", "sudo sysctl -w user.max_user_namespaces=");
  }

  @Test
  void anOrdinaryUserWithoutThemIsToldTheSame() {
    String user = "exec unshare --user --map-user=1000 --map-group=1000 \"$@\"";
    surroundings
        .visit(OWN_USERS, "echo 1 > /proc/sys/user/max_user_namespaces\n" + user, "true")
        .assertRefused(
            "user namespaces are switched off", "sudo sysctl -w user.max_user_namespaces=");
  }

  @Test
  void withMaskedPartsOfProcNothingRunsWithTheHostsProc() {
    String mask = "mount --bind /proc/sys /proc/sys; mount -o remount,bind,ro /proc/sys\n";
    String hide = "mount --bind /dev/null /proc/timer_list\n";
    for (String change : List.of(mask, hide, mask + hide)) {
      surroundings
          .visit(change, "ls /proc")
          .assertRefused(
              "hides parts of /proc",
              "systempaths=unconfined",
              "unmask=ALL",
              "procMount: Unmasked");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFilterThatRefusesNamespacesIsNamed(boolean container) throws IOException {
    byte[] filter = SeccompProgram.of(Architecture.current(), SeccompOptions.DEFAULT);
    Files.write(temporary.resolve("filter"), filter);
    // As container runtimes do: their own namespaces first, then the filter.
    String bwrap =
        "exec bwrap --dev-bind / / "
            + (container ? "--tmpfs /run --dir /run/secrets/kubernetes.io " : "");
    Surroundings.Visit visit =
        surroundings.visit("exec 9<$B/filter; " + bwrap + "--seccomp 9 -- \"$@\"", "true");
    if (container) {
      visit.assertRefused("seccomp or AppArmor profile", "seccomp=unconfined", "seccompProfile");
    } else {
      visit.assertRefused("namespaces", "chroot");
    }
  }

  /** As container runtimes mount it. */
  @Test
  void withControlGroupsThatCannotBeWrittenMemoryIsWatched() {
    String readOnly =
        """
        grep -E ' cgroup2? ' /proc/self/mounts | cut -d ' ' -f 2 | sort -u | while read -r group; do
          mount --bind "$group" "$group"
          mount -o remount,bind,ro "$group"
        done
        """;
    String hold = "head -c 200M /dev/zero | tail | sleep 100";
    Surroundings.Visit visit = surroundings.visit(readOnly, hold);

    assertThat(visit.lines())
        .contains("isolated true", "memory partial watchdog")
        .contains("outcome " + new Outcome.LimitExceeded(Limit.MEMORY));
    assertThat(visit.ran()).isTrue();
  }

  @Test
  void aChangedRootIsNamed() {
    surroundings
        .visit("mkdir $B/root; mount --rbind / $B/root; exec chroot $B/root \"$@\"", "true")
        .assertRefused("namespaces", "chroot", "pivot_root");
  }
}
