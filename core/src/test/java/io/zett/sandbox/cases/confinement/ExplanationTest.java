package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.zett.sandbox.PathExplanation;
import io.zett.sandbox.PathExplanation.Access;
import io.zett.sandbox.PathExplanation.Presence;
import io.zett.sandbox.PathExplanation.Reason;
import io.zett.sandbox.Sandbox;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxClosedException;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is explained of a path is what a command meets there. */
class ExplanationTest {

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  private String inBase(String name) {
    return scene.base.resolve(name).toString();
  }

  /** Asks, tries, and compares; the answers, each as {@code ACCESS PRESENCE REASON rule}. */
  private Map<String, String> agreed(List<String> options, List<String> paths) throws Exception {
    List<Explained.Row> rows = Explained.rows(scene, options, paths);
    List<Explained.Row> wrong = rows.stream().filter(row -> !agrees(row)).toList();
    assertThat(wrong).isEmpty();
    Map<String, String> answers = new TreeMap<>();
    for (Explained.Row row : rows) {
      String rule = row.rule().replace(scene.base + "/", "");
      String name = row.path().replace(scene.base + "/", "");
      answers.put(
          name, (row.access() + " " + row.presence() + " " + row.reason() + " " + rule).strip());
    }
    return answers;
  }

  private static boolean agrees(Explained.Row row) {
    boolean isThere = !row.outside().equals("no");
    boolean present = row.presence() == Presence.PRESENT;
    boolean fits =
        switch (row.presence()) {
          case PRESENT, UNKNOWN -> true;
          case MISSING, BLOCKED -> row.inside().equals("no");
          case HELD -> !row.writes();
        };
    return fits
        && switch (row.access()) {
          case WRITE ->
              row.writes() == (row.presence() != Presence.BLOCKED)
                  && (present ? isThere && seesAll(row) : !isThere);
          case READ -> !row.writes() && (present ? isThere && seesAll(row) : !isThere);
          case HIDDEN, EMPTY -> !row.writes() && !(isThere && seesAll(row));
          case PRIVATE -> row.writes() && !(isThere && seesAll(row));
          case OWN -> !present || !row.inside().equals("no");
        };
  }

  /** Whether the command read what is there outside; a directory may hold stand-ins, too. */
  private static boolean seesAll(Explained.Row row) {
    if (!row.outside().startsWith("names:") || !row.inside().startsWith("names:")) {
      return row.inside().equals(row.outside());
    }
    List<String> names = List.of(row.inside().substring("names:".length()).split("/", -1));
    return names.containsAll(List.of(row.outside().substring("names:".length()).split("/", -1)));
  }

  @Test
  void pathRulesAreExplainedAsTheyHold() throws Exception {
    scene.work("file", "1");
    scene.work("sub/file", "2");
    scene.work("locked/file", "3");
    scene.work("locked/open/file", "4");
    scene.work("locked/open/deep/file", "SECRET");
    scene.work("locked/open/deep/shown", "5");
    scene.work("secret", "SECRET");
    scene.host("file", "6");
    scene.host("secret", "SECRET");
    scene.host("keys/one", "SECRET");
    Files.createSymbolicLink(scene.workspace.resolve("out"), scene.outside.resolve("file"));
    Files.createSymbolicLink(scene.workspace.resolve("in"), Path.of("sub"));
    Files.createSymbolicLink(scene.workspace.resolve("tmp"), Path.of("/tmp/zett-none/x"));
    Files.createSymbolicLink(scene.workspace.resolve("loop"), Path.of("loop"));
    Files.createSymbolicLink(scene.workspace.resolve("toSecret"), Path.of("secret"));
    Files.createSymbolicLink(scene.outside.resolve("alias"), Path.of("keys"));

    List<String> paths = new ArrayList<>();
    for (String name :
        List.of(
            "W",
            "W/file",
            "W/new/er",
            "W/file/below",
            "W/sub/../file",
            "W/in/../sub/file",
            "W/in/file",
            "W/out",
            "W/tmp",
            "W/loop",
            "W/toSecret",
            "W/locked",
            "W/locked/file",
            "W/locked/new",
            "W/locked/open",
            "W/locked/open/file",
            "W/locked/open/new",
            "W/locked/open/deep",
            "W/locked/open/deep/file",
            "W/locked/open/deep/new",
            "W/locked/open/deep/shown",
            "W/secret",
            "W/gone",
            "W/missing",
            "W/missing/other",
            "W/missing/deep/key",
            "H",
            "H/file",
            "H/new",
            "H/secret",
            "H/keys",
            "H/keys/one",
            "H/alias/one",
            "H/none")) {
      paths.add(inBase(name));
    }
    Map<String, String> said =
        agreed(
            List.of(
                "workspace=" + scene.workspace,
                "allowRead=" + scene.base,
                "denyWrite=" + scene.workspace.resolve("locked"),
                "writable=" + scene.workspace.resolve("locked/open"),
                "denyRead=" + scene.workspace.resolve("locked/open/deep"),
                "allowRead=" + scene.workspace.resolve("locked/open/deep/shown"),
                "denyRead=" + scene.workspace.resolve("secret"),
                "denyWrite=" + scene.workspace.resolve("gone"),
                "denyRead=" + scene.workspace.resolve("missing/deep/key"),
                "denyRead=" + scene.outside.resolve("secret"),
                "denyRead=" + scene.outside.resolve("alias"),
                "denyRead=" + scene.outside.resolve("none")),
            paths);

    assertThat(said)
        .containsEntry("W", "WRITE PRESENT WORKSPACE W")
        .containsEntry("W/new/er", "WRITE MISSING WORKSPACE W")
        .containsEntry("W/out", "READ PRESENT ALLOW_READ " + scene.base)
        .containsEntry("W/file/below", "WRITE BLOCKED WORKSPACE W")
        .containsEntry("W/loop", "WRITE BLOCKED WORKSPACE W")
        .containsEntry("W/tmp", "PRIVATE MISSING SCRATCH")
        .containsEntry("W/toSecret", "HIDDEN PRESENT DENY_READ W/secret")
        .containsEntry("W/locked/file", "READ PRESENT DENY_WRITE W/locked")
        .containsEntry("W/locked/open/file", "WRITE PRESENT WRITABLE W/locked/open")
        .containsEntry("W/locked/open/deep/file", "HIDDEN PRESENT DENY_READ W/locked/open/deep")
        .containsEntry(
            "W/locked/open/deep/shown", "READ PRESENT ALLOW_READ W/locked/open/deep/shown")
        .containsEntry("W/gone", "READ HELD DENY_WRITE W/gone")
        .containsEntry("W/missing", "READ HELD DENY_READ W/missing/deep/key")
        .containsEntry("W/missing/deep/key", "HIDDEN HELD DENY_READ W/missing/deep/key")
        .containsEntry("H/new", "READ MISSING ALLOW_READ " + scene.base)
        .containsEntry("H/keys/one", "HIDDEN PRESENT DENY_READ H/alias")
        .containsEntry("H/none", "HIDDEN MISSING DENY_READ H/none");
  }

  @Test
  void theSystemsOwnPlacesAreExplained() throws Exception {
    List<String> paths = new ArrayList<>();
    paths.addAll(List.of("/", "/usr", "/usr/bin/env", "/usr/zett-none", "/etc", "/etc/hosts"));
    paths.addAll(List.of("/etc/passwd", "/bin/sh", "/tmp", "/tmp/zett-none", "/tmp/a/b"));
    paths.addAll(List.of("/var/tmp/zett-none", "/dev/shm/zett-none", "/run", "/run/zett-none"));
    paths.addAll(List.of("/var/run/zett-none", "/proc", "/proc/self/status", "/dev/null", "/sys"));
    paths.addAll(List.of("/etc/shadow", inBase("H"), inBase("W"), scene.base.toString()));
    for (String network : List.of("false", "true")) {
      Map<String, String> said =
          agreed(List.of("workspace=" + scene.workspace, "network=" + network), paths);

      assertThat(said)
          .containsEntry("/usr/bin/env", "READ PRESENT DEFAULT")
          .containsEntry("/usr/zett-none", "READ MISSING DEFAULT")
          .containsEntry(
              "/etc/passwd", Scene.isRoot() ? "OWN PRESENT ACCOUNTS" : "READ PRESENT DEFAULT")
          .containsEntry("/tmp", "PRIVATE PRESENT SCRATCH")
          .containsEntry("/dev/shm/zett-none", "PRIVATE MISSING SCRATCH")
          .containsEntry("/run/zett-none", "EMPTY MISSING RUNTIME")
          .containsEntry("/var/run/zett-none", "EMPTY MISSING RUNTIME")
          .containsEntry("/proc/self/status", "OWN UNKNOWN KERNEL")
          .containsEntry("/etc/shadow", "HIDDEN PRESENT CREDENTIALS /etc/shadow")
          .containsEntry("H", "PRIVATE MISSING SCRATCH")
          .containsEntry("W", "WRITE PRESENT WORKSPACE W")
          .containsEntry(scene.base.toString(), "PRIVATE PRESENT SCRATCH");
    }
  }

  @Test
  void credentialsAndHomesAreExplained() throws Exception {
    Scene.write(scene.home.resolve(".ssh/id_ed25519"), "SECRET");
    Scene.write(scene.home.resolve(".npmrc"), "SECRET");
    Scene.write(scene.home.resolve("notes"), "readable");
    Path work = Files.createDirectories(scene.home.resolve("work"));
    Scene.write(work.resolve("file"), "1");
    List<String> paths = new ArrayList<>();
    for (String name : List.of("", "/.ssh", "/.ssh/id_ed25519", "/.ssh/new", "/.npmrc", "/notes")) {
      paths.add(inBase("home" + name));
    }
    for (String name : List.of("/new", "/work", "/work/file", "/work/new")) {
      paths.add(inBase("home" + name));
    }
    List<String> options =
        List.of(
            "workspace=" + work,
            "allowRead=" + scene.base,
            "allowRead=" + scene.home.resolve(".npmrc"));

    assertThat(agreed(options, paths))
        .containsEntry("home/.ssh/id_ed25519", "HIDDEN PRESENT CREDENTIALS home/.ssh")
        .containsEntry("home/.npmrc", "READ PRESENT ALLOW_READ home/.npmrc")
        .containsEntry("home/notes", "READ PRESENT ALLOW_READ " + scene.base)
        .containsEntry("home/work/new", "WRITE MISSING WORKSPACE home/work");

    List<String> isPrivate = new ArrayList<>(options);
    isPrivate.add("home=private");
    assertThat(agreed(isPrivate, paths))
        .containsEntry("home", "PRIVATE PRESENT PRIVATE_HOME")
        .containsEntry("home/.ssh", "PRIVATE MISSING PRIVATE_HOME")
        .containsEntry("home/.npmrc", "READ PRESENT ALLOW_READ home/.npmrc")
        .containsEntry("home/notes", "PRIVATE MISSING PRIVATE_HOME")
        .containsEntry("home/work/file", "WRITE PRESENT WORKSPACE home/work");
  }

  @Test
  void aDaemonsSocketIsExplained() throws Exception {
    Path socket = scene.outside.resolve("daemon.sock");
    try (ServerSocketChannel daemon = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      daemon.bind(UnixDomainSocketAddress.of(socket));
      assertThat(
              agreed(
                  List.of("workspace=" + scene.workspace, "allowRead=" + scene.base),
                  List.of(socket.toString())))
          .containsEntry("H/daemon.sock", "HIDDEN PRESENT SOCKET");
    }
  }

  @Test
  void developerFilesAreExplained() throws Exception {
    scene.work(".git/config", "[core]\n");
    scene.work(".git/HEAD", "ref: refs/heads/main\n");
    scene.work(".vscode/tasks.json", "{}");
    List<String> paths = new ArrayList<>();
    for (String name : List.of("W/.git/config", "W/.git/HEAD", "W/.vscode/tasks.json", "W/file")) {
      paths.add(inBase(name));
    }
    assertThat(
            agreed(
                List.of("workspace=" + scene.workspace, "allowRead=" + scene.base, "protect=true"),
                paths))
        .containsEntry("W/.git/config", "READ PRESENT DEVELOPER_FILES W/.git/config")
        .containsEntry("W/.git/HEAD", "WRITE PRESENT WORKSPACE W")
        .containsEntry("W/file", "WRITE MISSING WORKSPACE W");
    Path missing = scene.workspace.resolve(".mcp.json");
    Path ending = scene.workspace.resolve(".git/commondir");
    try (SandboxSession session = scene.session().protectDeveloperFiles().open()) {
      assertThat(session.sandbox().explain(missing, ending))
          .extracting(PathExplanation::presence, PathExplanation::reason)
          .containsOnly(tuple(Presence.HELD, Reason.DEVELOPER_FILES));
      assertThat(session.run("echo x > .mcp.json").succeeded()).isFalse();
      assertThatThrownBy(() -> session.run("echo x > .git/commondir; sleep 100"))
          .isInstanceOf(SandboxCanceledException.class);
    }
    assertThat(missing).doesNotExist();
  }

  @Test
  void withoutIsolationNothingIsPromised() throws Exception {
    scene.host("file", "1");
    try (SandboxSession session = scene.session().backend(SandboxBackend.PASSTHROUGH).open()) {
      PathExplanation said = session.sandbox().explain(scene.outside.resolve("file")).getFirst();

      assertThat(said.access()).isEqualTo(Access.WRITE);
      assertThat(said.reason()).isEqualTo(Reason.UNISOLATED);
      SandboxResult result = session.run("echo 2 > " + scene.outside.resolve("file"));
      assertThat(result.succeeded()).isTrue();
    }
  }

  @Test
  void anExplanationIsOneLineForPeople() throws Exception {
    Path secret = scene.work("secret", "SECRET");
    Path link = Files.createSymbolicLink(scene.workspace.resolve("link"), Path.of("secret"));
    try (SandboxSession session = scene.session().denyRead(secret).open()) {
      assertThat(session.sandbox().explain(link))
          .hasToString("[%s -> %s: hidden (denyRead %s)]".formatted(link, secret, secret));
      assertThat(session.sandbox().explain()).isEmpty();
    }
  }

  @Test
  void aClosedSandboxExplainsNothingAndAnOddPathIsRefused() {
    try (Sandbox sandbox = Sandbox.open(scene.session().build().policy(), scene.workspace)) {
      assertThatThrownBy(() -> sandbox.explain(Path.of("~/x")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("explain: ");
      sandbox.close();
      assertThatThrownBy(() -> sandbox.explain(scene.workspace))
          .isInstanceOf(SandboxClosedException.class);
    }
  }
}
