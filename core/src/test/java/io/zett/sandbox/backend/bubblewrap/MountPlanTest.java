package io.zett.sandbox.backend.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.backend.EffectiveRules;
import io.zett.sandbox.backend.LaunchRequest;
import io.zett.sandbox.backend.PlaceholderRequest;
import io.zett.sandbox.backend.SessionFiles;
import io.zett.sandbox.backend.Sight;
import io.zett.sandbox.host.Host;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.host.ResolvedPath;
import io.zett.sandbox.host.ViewedRule;
import io.zett.sandbox.posix.Architecture;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.PathRule.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Plans as text, without any disk. */
class MountPlanTest {

  private static final UnixPath WORKSPACE = path("/w");
  private static final SessionFiles FILES =
      new SessionFiles(
          path("/var/lib/run/file000"),
          path("/var/lib/run/dir000"),
          path("/var/lib/run/settings.xml"),
          path("/var/lib/run/passwd"),
          path("/var/lib/run/group"));

  private final List<ViewedRule> rules = new ArrayList<>();
  private final List<UnixPath> sockets = new ArrayList<>();
  private final Map<UnixPath, FileStatus> seen = new HashMap<>();
  private final Map<UnixPath, UnixPath> closed = new HashMap<>();
  private SandboxPolicy policy = SandboxPolicy.builder().build();
  private ResolvedPath resolver = file("/etc/resolv.conf");
  private int uid = 1000;
  private Set<UnixPath> placeholders = Set.of();

  private static UnixPath path(String text) {
    return UnixPath.ofText(text);
  }

  private static FileStatus status(int type, String text) {
    return new FileStatus(1, text.hashCode(), type | 0755, 1000, 1000, 1, 0, 0, 0);
  }

  private static ResolvedPath file(String text) {
    return ResolvedPath.existing(path(text), status(Constants.S_IFREG, text));
  }

  private static ResolvedPath directory(String text) {
    return ResolvedPath.existing(path(text), status(Constants.S_IFDIR, text));
  }

  private static ResolvedPath missing(String text, String firstMissing) {
    return ResolvedPath.missing(path(text), path(firstMissing));
  }

  private MountPlanTest rule(Kind kind, ResolvedPath at) {
    rules.add(new ViewedRule(at.real(), kind, at));
    return this;
  }

  private LaunchRequest request() {
    List<ViewedRule> all = new ArrayList<>(rules);
    all.add(new ViewedRule(WORKSPACE, Kind.WRITABLE, directory("/w")));
    seen.putIfAbsent(WORKSPACE, status(Constants.S_IFDIR, "/w"));
    Host host =
        new Host(
            uid,
            uid,
            List.of(),
            "6.18.0",
            "me",
            path("/home/me"),
            List.of(path("/home/me")),
            List.of(new Host.KernelSecret(path("/proc/keys"), false)));
    HostView.Places places =
        new HostView.Places(
            List.of(path("/tmp"), path("/var/tmp")),
            List.of(path("/run")),
            directory("/home/me"),
            resolver,
            file("/etc/passwd"),
            file("/etc/group"),
            List.of());
    return new LaunchRequest(
        policy,
        new HostView(host, WORKSPACE, all, sockets, places, seen, closed),
        FILES,
        placeholders);
  }

  private String plan() {
    return BubblewrapBackend.describe(request()).replace("/var/lib/run/", "@");
  }

  /** The lines between the fixed head and the closing of directories at the end. */
  private List<String> mounts() {
    List<String> lines = plan().lines().toList();
    int start = lines.indexOf("--ro-bind @file000 /proc/keys") + 1;
    return lines.subList(start, lines.size()).stream()
        .filter(
            line ->
                !line.matches(
                    "--(remount-ro|perms|size|tmpfs) ?.*(/tmp|/run|/dev.*|1777|0755|1073741824|/proc)"))
        .toList();
  }

  @Test
  void thePlanOfTheDefaultPolicy() {
    assertThat(plan())
        .isEqualTo(
            """
            --unshare-all
            --unshare-user
            --hostname sandbox
            --cap-drop ALL
            --disable-userns
            --die-with-parent
            --new-session
            --as-pid-1
            --seccomp 5
            --ro-bind / /
            --dev /dev
            --proc /proc
            --ro-bind /proc/sys /proc/sys
            --ro-bind @file000 /proc/keys
            --perms 1777
            --size 1073741824
            --tmpfs /dev/shm
            --perms 0755
            --tmpfs /run
            --perms 1777
            --size 1073741824
            --tmpfs /tmp
            --perms 1777
            --size 1073741824
            --tmpfs /var/tmp
            --bind /w /w
            --remount-ro /run
            --remount-ro /dev
            --remount-ro /proc""");
  }

  @Test
  void rootBecomesAnOrdinaryUserWithAName() {
    uid = 0;
    assertThat(plan())
        .contains("--uid 12345\n--gid 12345\n")
        .contains("--ro-bind @passwd /etc/passwd\n--ro-bind @group /etc/group\n");
  }

  @Test
  void everyOrderOfRulesGivesOnePlan() {
    rule(Kind.DENY_WRITE, directory("/w/p"))
        .rule(Kind.DENY_READ, file("/w/p/secret"))
        .rule(Kind.WRITABLE, directory("/w/p/q"))
        .rule(Kind.CREDENTIAL, directory("/home/me/.ssh"))
        .rule(Kind.DENY_READ, file("/w/a/b/key"))
        .rule(Kind.DENY_READ, file("/w/a/b/key"));
    List<String> expected = mounts();

    assertThat(expected)
        .containsExactly(
            "--ro-bind @dir000 /home/me/.ssh",
            "--bind /w /w",
            "--bind /w/a /w/a",
            "--bind /w/a/b /w/a/b",
            "--ro-bind @file000 /w/a/b/key",
            "--ro-bind /w/p /w/p",
            "--bind /w/p/q /w/p/q",
            "--ro-bind @file000 /w/p/secret");
    Random random = new Random(7);
    for (int round = 0; round < 20; round++) {
      Collections.shuffle(rules, random);
      assertThat(mounts()).isEqualTo(expected);
    }
  }

  @Test
  void whatIsAlreadyAsItShouldBeIsNotMounted() {
    rule(Kind.WRITABLE, directory("/w/cache"))
        .rule(Kind.DENY_WRITE, directory("/usr/lib"))
        .rule(Kind.DENY_READ, directory("/secret"))
        .rule(Kind.CREDENTIAL, file("/secret/below"))
        .rule(Kind.DENY_READ, file("/tmp/unseen"))
        .rule(Kind.DENY_READ, missing("/etc/none", "/etc/none"));
    assertThat(mounts()).containsExactly("--ro-bind @dir000 /secret", "--bind /w /w");
  }

  @Test
  void aHiddenDirectoryMakesRoomForWhatIsVisibleInIt() {
    rule(Kind.DENY_READ, directory("/srv/x"))
        .rule(Kind.ALLOW_READ, file("/srv/x/seen"))
        .rule(Kind.DENY_READ, file("/srv/x/other"));
    assertThat(plan())
        .contains("--perms 0111\n--tmpfs /srv/x\n--ro-bind /srv/x/seen /srv/x/seen\n")
        .contains("--remount-ro /srv/x\n");
  }

  @Test
  void mavensSettingsAreEmptiedSinceUnreadableOnesStopIt() {
    rule(Kind.CREDENTIAL, file("/home/me/.m2/settings.xml"));
    assertThat(mounts()).contains("--ro-bind @settings.xml /home/me/.m2/settings.xml");
  }

  @Test
  void listeningSocketsAreMaskedExceptWhereCommandsWriteOrWhereGivenBack() {
    sockets.addAll(
        List.of(path("/srv/s"), path("/w/s"), path("/tmp/s"), path("/srv/given"), path("/w/p/s")));
    rule(Kind.ALLOW_READ, file("/srv/given")).rule(Kind.DENY_WRITE, directory("/w/p"));
    assertThat(mounts())
        .containsExactly(
            "--ro-bind @file000 /srv/s",
            "--bind /w /w",
            "--ro-bind /w/p /w/p",
            "--ro-bind @file000 /w/p/s");
  }

  private void manySockets(String prefix, int count) {
    for (int number = 0; number < count; number++) {
      sockets.add(path(prefix + number));
    }
  }

  @Test
  void aDirectoryWithVeryManySocketsIsHiddenAsAWhole() {
    manySockets("/srv/few/s", 64);
    manySockets("/srv/many/s", 65);
    rule(Kind.ALLOW_READ, file("/srv/many/seen"));
    assertThat(mounts())
        .hasSize(64 + 5)
        .contains("--ro-bind @file000 /srv/few/s63", "--tmpfs /srv/many")
        .contains("--ro-bind /srv/many/seen /srv/many/seen")
        .noneMatch(line -> line.contains("/srv/many/s1"));
  }

  @Test
  void aDirectoryThatIsHiddenForItsSocketsIsExplainedSo() {
    manySockets("/srv/many/s", 65);
    for (ResolvedPath seen : List.of(file("/etc/other"), file("/srv/many/seen"))) {
      rule(Kind.ALLOW_READ, seen);
      EffectiveRules effective = EffectiveRules.of(request());
      Sight sight =
          MountSight.of(request(), effective, MountPlanner.plan(request(), effective), List.of());
      assertThat(sight.at(path("/srv/many/s1")).surface()).isEqualTo(Sight.Surface.HIDDEN);
      assertThat(sight.at(path("/srv/many/s1")).cause()).isEqualTo(Sight.Cause.SOCKET);
    }
  }

  @Test
  void socketsInManyDirectoriesHideTheOneThatAllAreIn() {
    for (int number = 0; number < 67; number++) {
      sockets.add(path("/srv/user/d" + number + "/s"));
    }
    manySockets("/srv/user/d1/more", 65);
    manySockets("/srv/user/d2/more", 64);
    assertThat(mounts()).containsExactly("--ro-bind @dir000 /srv/user", "--bind /w /w");
  }

  @Test
  void homesAndTheFirstLevelAreNeverHiddenForTheirSockets() {
    manySockets("/srv/s", 65);
    manySockets("/home/me/s", 65);
    manySockets("/home/other/s", 65);
    manySockets("/tmp/x/s", 65);
    assertThat(mounts())
        .hasSize(65 + 65 + 1 + 1)
        .contains("--ro-bind @file000 /srv/s64", "--ro-bind @file000 /home/me/s64")
        .contains("--ro-bind @dir000 /home/other");
  }

  @Test
  void theResolversFileIsGivenBackOnlyWithANetwork() {
    resolver =
        new ResolvedPath(
            path("/run/resolve/stub.conf"),
            status(Constants.S_IFREG, "stub"),
            null,
            null,
            List.of(path("/etc/resolv.conf"), path("/run/resolv.conf")),
            false);
    assertThat(plan()).doesNotContain("stub.conf");
    policy = SandboxPolicy.builder().network(true).build();
    assertThat(plan())
        .contains("--share-net")
        .contains(
            """
            --tmpfs /run
            --ro-bind-try /run/resolve/stub.conf /run/resolv.conf
            --ro-bind-try /run/resolve/stub.conf /run/resolve/stub.conf
            """);
  }

  @Test
  void aPrivateHomeIsBoundedAndScratchFollowsTheMemoryLimit() {
    policy = SandboxPolicy.builder().home(HomeMode.PRIVATE).memory(64 << 20).build();
    rule(Kind.CREDENTIAL, directory("/home/me/.ssh"));
    assertThat(plan())
        .contains("--perms 0700\n--size 67108864\n--tmpfs /home/me\n")
        .contains("--perms 1777\n--size 67108864\n--tmpfs /tmp\n")
        .doesNotContain(".ssh");
  }

  @Test
  void missingDeniedPathsWhereCommandsWriteAskForPlaceholders() {
    rule(Kind.DENY_WRITE, missing("/w/.git", "/w/.git"))
        .rule(Kind.DENY_READ, missing("/w/.env", "/w/.env"))
        .rule(Kind.DENY_WRITE, missing("/w/x/y/z", "/w/x"))
        .rule(Kind.DENY_WRITE, missing("/w/x/other", "/w/x"));
    BubblewrapBackend backend = new BubblewrapBackend(path("/usr/bin/bwrap"), Architecture.X86_64);
    assertThat(backend.prepare(request()).placeholders())
        .containsExactly(
            new PlaceholderRequest(path("/w/.env"), false),
            new PlaceholderRequest(path("/w/.git"), true),
            new PlaceholderRequest(path("/w/x"), true));

    rules.clear();
    placeholders = Set.of(path("/w/.env"), path("/w/.git"), path("/w/x"));
    rule(Kind.DENY_WRITE, directory("/w/.git"))
        .rule(Kind.DENY_READ, file("/w/.env"))
        .rule(Kind.DENY_WRITE, missing("/w/x/y/z", "/w/x/y"))
        .rule(Kind.DENY_WRITE, missing("/w/x/other", "/w/x/other"));
    assertThat(backend.prepare(request()).placeholders()).isEmpty();
    assertThat(mounts())
        .containsExactly(
            "--bind /w /w",
            "--ro-bind @file000 /w/.env",
            "--ro-bind /w/.git /w/.git",
            "--ro-bind /w/x /w/x");
  }

  @Test
  void aLinkThatCommandsCanReplaceGrantsNothing() {
    ResolvedPath through =
        new ResolvedPath(
            path("/home/me/.ssh"),
            status(Constants.S_IFDIR, "ssh"),
            null,
            null,
            List.of(path("/w/link")),
            true);
    rules.add(new ViewedRule(path("/w/link"), Kind.ALLOW_READ, through));
    rules.add(new ViewedRule(path("/w/link"), Kind.WRITABLE, through));
    rule(Kind.CREDENTIAL, directory("/home/me/.ssh"));
    assertThat(mounts()).containsExactly("--ro-bind @dir000 /home/me/.ssh", "--bind /w /w");
  }

  @Test
  void theSessionsOwnFilesAreOutOfReachOfItsCommands() {
    rule(Kind.WRITABLE, directory("/var/lib"));
    assertThat(mounts())
        .containsExactly(
            "--bind /var/lib /var/lib", "--ro-bind @dir000 /var/lib/run", "--bind /w /w");
  }

  @Test
  void aWorkspaceThatIsItselfDeniedIsRefused() {
    rule(Kind.CREDENTIAL, directory("/w"));
    assertThatThrownBy(this::plan)
        .isInstanceOf(SandboxSetupException.class)
        .hasMessageContaining("workspace: /w")
        .hasMessageContaining("list of credentials");
  }

  @Test
  void aWorkspaceThatRootWithoutPrivilegesCannotWriteIsRefused() {
    uid = 0;
    closed.put(WORKSPACE, WORKSPACE);
    assertThatThrownBy(this::plan)
        .isInstanceOf(SandboxSetupException.class)
        .hasMessageContaining("run as that user, or chown it");
  }

  @Test
  void rulesBeyondTheLaunchersBoundAreRefusedWithBothNumbers() {
    for (int i = 0; i < 4000; i++) {
      rule(Kind.DENY_READ, file("/w/n/" + i + "/.env"));
    }
    BubblewrapBackend backend = new BubblewrapBackend(path("/usr/bin/bwrap"), Architecture.X86_64);
    assertThatThrownBy(() -> backend.prepare(request()))
        .isInstanceOf(SandboxSetupException.class)
        .hasMessageContaining("too many rules")
        .hasMessageContaining("9000");
  }

  @Test
  void aThousandDeniedPathsArePlannedInMilliseconds() {
    for (int i = 0; i < 1000; i++) {
      rule(Kind.DENY_READ, file("/w/sub" + i % 10 + "/n" + i));
    }
    BubblewrapBackend backend = new BubblewrapBackend(path("/usr/bin/bwrap"), Architecture.X86_64);
    LaunchRequest request = request();
    long best = Long.MAX_VALUE;
    for (int round = 0; round < 60; round++) {
      long start = System.nanoTime();
      backend.prepare(request);
      best = Math.min(best, System.nanoTime() - start);
    }
    assertThat(best / 1_000_000).as("milliseconds").isLessThan(20);
  }
}
