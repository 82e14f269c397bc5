package io.zett.sandbox.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.backend.Launch;
import io.zett.sandbox.backend.LaunchRequest;
import io.zett.sandbox.backend.SessionFiles;
import io.zett.sandbox.backend.Sight;
import io.zett.sandbox.backend.bubblewrap.BubblewrapBackend;
import io.zett.sandbox.backend.seatbelt.SeatbeltBackend;
import io.zett.sandbox.backend.seatbelt.language.Attempt;
import io.zett.sandbox.backend.seatbelt.language.EveryPrecedence;
import io.zett.sandbox.backend.seatbelt.language.Precedence;
import io.zett.sandbox.backend.seatbelt.language.SandboxExec;
import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.host.Host;
import io.zett.sandbox.host.HostSurvey;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.host.PolicyPaths;
import io.zett.sandbox.posix.Architecture;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table, row for row: by attack in bubblewrap, by rule in the profile for Seatbelt. */
class PolicyTableTest {

  private record Mac(
      EveryPrecedence profile, UnixPath scratch, UnixPath home, Sight mac, Sight linux) {}

  private static final Map<Row, Boolean> REAL = new HashMap<>();
  private static final Map<Setting, Mac> MACS = new EnumMap<>(Setting.class);
  private static TableScene scene;

  @BeforeAll
  static void ask(@TempDir Path temporary) throws IOException {
    scene = new TableScene(temporary.toRealPath());
    scene.set();
    for (Setting setting : Setting.values()) {
      MACS.put(setting, mac(setting));
    }
    try (ChildJvm child =
        ChildJvm.of(RealSandbox.class)
            .env("HOME", scene.at("home").toString())
            .start(scene.base.toString())) {
      List<String> answers = child.lines();
      assertThat(child.await()).isZero();
      List<Row> asked = new ArrayList<>();
      for (Setting setting : Setting.values()) {
        PolicyTable.rows().stream().filter(row -> row.setting() == setting).forEach(asked::add);
      }
      assertThat(answers).hasSameSizeAs(asked);
      for (int i = 0; i < asked.size(); i++) {
        REAL.put(asked.get(i), Boolean.valueOf(answers.get(i)));
      }
    }
  }

  private static Mac mac(Setting setting) {
    Posix posix = Posix.system();
    SandboxPolicy policy = setting.policy(scene);
    Host host = Host.inspect(posix, UnixPath.of(scene.at("home")));
    PolicyPaths paths = PolicyPaths.open(posix, policy, scene.at("W"), false, List.of(host.home()));
    UnixPath run = UnixPath.of(scene.at("session/run"));
    SessionFiles files =
        new SessionFiles(
            run.resolve("file"), run.resolve("dir"), run.resolve("s"), run.resolve("p"), run);
    HostView view;
    try (HostSurvey survey = new HostSurvey(posix, host, paths)) {
      view = survey.look();
    }
    LaunchRequest request = new LaunchRequest(policy, view, files, Set.of());
    SeatbeltBackend seatbelt =
        new SeatbeltBackend(SeatbeltBackend.LAUNCHER, List.of("/bin/sh".getBytes(UTF_8)));
    Launch launch = seatbelt.prepare(request);
    Sight linux =
        new BubblewrapBackend(UnixPath.ofText("/usr/bin/bwrap"), Architecture.current())
            .sight(request);
    return new Mac(
        EveryPrecedence.of(SandboxExec.of(launch)),
        files.scratch(),
        launch.home(),
        seatbelt.sight(request),
        linux);
  }

  static List<Row> rows() {
    return PolicyTable.rows();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void bubblewrapKeepsTheTableByAttack(Row row) {
    assertThat(REAL.get(row)).isEqualTo(row.linux());
  }

  @ParameterizedTest
  @MethodSource("rows")
  void theSeatbeltProfileKeepsTheTableByRule(Row row) throws IOException {
    Mac mac = MACS.get(row.setting());
    boolean allowed = true;
    for (Attempt attempt : row.act().attempts(path(mac, row))) {
      allowed &=
          row.act() == Act.SET_ID
              // Of a denial without any condition nothing is reported beside the last rule's right.
              ? mac.profile().profile(Precedence.LAST).allows(attempt)
              : mac.profile().allows(attempt);
    }
    assertThat(allowed).isEqualTo(row.mac());
  }

  static List<Row> rowsAboutFiles() {
    return PolicyTable.rows().stream()
        .filter(row -> row.act() == Act.READ || row.act() == Act.WRITE || row.act() == Act.CREATE)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("rowsAboutFiles")
  void whatIsExplainedKeepsTheTable(Row row) throws IOException {
    Mac mac = MACS.get(row.setting());
    UnixPath path = UnixPath.ofText(path(mac, row));
    assertThat(allows(mac.mac().at(path).surface(), row)).isEqualTo(row.mac());
    boolean isOfAMac = row.path().startsWith("TMPDIR/") || row.path().startsWith("HOME/");
    if (!isOfAMac) {
      assertThat(allows(mac.linux().at(path).surface(), row)).isEqualTo(row.linux());
    }
  }

  private static boolean allows(Sight.Surface surface, Row row) {
    return switch (surface) {
      case WRITE -> true;
      case READ -> row.act() == Act.READ;
      // A file of the host is not there, but all that is its own can be read and written.
      case PRIVATE -> row.act() == Act.CREATE || row.path().startsWith("HOME/");
      case HIDDEN, EMPTY -> false;
      case OWN -> row.act() == Act.READ;
    };
  }

  /** As the kernel calls it. */
  private static String path(Mac mac, Row row) throws IOException {
    if (row.path().equals(TableScene.PORT)) {
      return "80";
    }
    if (row.path().equals(TableScene.TEMPORARY)) {
      return "/tmp/somebody's";
    }
    String name = row.path().substring(row.path().indexOf('/') + 1);
    if (row.path().startsWith("TMPDIR/")) {
      return mac.scratch().resolve(name).latin1();
    }
    if (row.path().startsWith("HOME/")) {
      return mac.home().resolve(name).latin1();
    }
    Path path = scene.at(row.path());
    boolean follow = row.act().followsLinks() && Files.exists(path);
    return UnixPath.of(follow ? path.toRealPath() : path).latin1();
  }

  @Test
  void thePlatformsDifferOnlyWhereTheContractSaysSo() {
    assertThat(PolicyTable.rows()).doesNotHaveDuplicates();
    assertThat(PolicyTable.rows())
        .allSatisfy(
            row -> {
              if (row.linux() == row.mac()) {
                assertThat(row.platforms()).isEmpty();
              } else {
                assertThat(row.platforms()).isIn(PolicyTable.DIFFERENCES);
              }
            });
  }
}
