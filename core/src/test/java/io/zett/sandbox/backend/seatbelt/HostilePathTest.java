package io.zett.sandbox.backend.seatbelt;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.backend.Launch;
import io.zett.sandbox.backend.seatbelt.language.EveryPrecedence;
import io.zett.sandbox.backend.seatbelt.language.SandboxExec;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.PathRule.Kind;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a path is called, it is a value of the profile and never a part of its text. */
class HostilePathTest {

  private static final UnixPath PARENT = UnixPath.ofText("/Users/me");

  static Stream<String> names() {
    return Stream.of(
        "a\") (allow file* (subpath \"/",
        "a\" ) ) (allow default)",
        "\"",
        "\\",
        "back\\\\slash\\",
        "\\\"",
        "(",
        ")",
        "))))",
        "new\nline",
        "\n(allow default)\n",
        "car\rriage",
        "tab\there",
        "; comment",
        "#\"raw\"",
        "#",
        "|bars|",
        "'quote",
        "`tick`",
        "$HOME",
        "(param \"DENIED_0\")",
        "=",
        "-D X=Y",
        "--",
        "-p",
        ".*",
        "[a-z]+",
        "^$",
        "a{1,99999}",
        "a|/etc",
        "%s%n",
        "\u00ff\u00fe",
        "\u00ed\u00a0\u0080",
        "\u00c3\u00a9",
        "\u0001\u001b[31m",
        "x".repeat(255));
  }

  private static UnixPath child(UnixPath parent, String name) {
    return parent.resolve(name.getBytes(ISO_8859_1));
  }

  private static SandboxExec arguments(MacView view) {
    return SandboxExec.of(backend().prepare(view.request()));
  }

  /** The lines of a profile, whichever parameters they name; a deeper path has more of them. */
  private static Set<String> shape(SandboxExec arguments) {
    return arguments
        .text()
        .lines()
        .map(line -> line.replaceAll("\\)+$", "").replaceAll("_[0-9]+\"$", "\""))
        .collect(Collectors.toSet());
  }

  private static SeatbeltBackend backend() {
    return new SeatbeltBackend(SeatbeltBackend.LAUNCHER, List.of("/bin/sh".getBytes(ISO_8859_1)));
  }

  @ParameterizedTest
  @MethodSource("names")
  void aWorkspaceOfAnyNameCanBeWrittenAndNothingElse(String name) {
    UnixPath workspace = child(PARENT, name);
    SandboxExec usual = arguments(new MacView());
    SandboxExec hostile = arguments(new MacView().workspace(workspace));

    assertThat(shape(hostile)).isSubsetOf(shape(usual));
    EveryPrecedence decides = EveryPrecedence.of(hostile);
    assertThat(hostile.parameters()).containsValue(workspace.latin1());
    assertThat(hostile.command()).containsExactly("/bin/sh");
    assertThat(decides.allows("file-write-create", child(workspace, "x").latin1())).isTrue();
    assertThat(decides.allows("file-write-create", child(PARENT, "x").latin1())).isFalse();
    assertThat(decides.allows("file-write-data", UnixPath.ofText("/etc/hosts").latin1())).isFalse();
    assertThat(decides.allows("network-outbound", UnixPath.ofText("/var/run/x").latin1()))
        .isFalse();
  }

  @ParameterizedTest
  @MethodSource("names")
  void aDeniedPathOfAnyNameIsDeniedAndNothingElse(String name) {
    UnixPath denied = child(MacView.WORKSPACE, name);
    SandboxExec hostile = arguments(new MacView().file(Kind.DENY_READ, denied));
    SandboxExec usual =
        arguments(new MacView().file(Kind.DENY_READ, child(MacView.WORKSPACE, "plain")));

    assertThat(hostile.parameters()).containsValue(denied.latin1());
    assertThat(shape(hostile)).isSubsetOf(shape(usual));
    EveryPrecedence decides = EveryPrecedence.of(hostile);
    assertThat(decides.allows("file-read-data", denied.latin1())).isFalse();
    assertThat(decides.allows("file-write-create", child(denied, "x").latin1())).isFalse();
    assertThat(decides.allows("file-read-data", child(MacView.WORKSPACE, "other").latin1()))
        .isTrue();
    assertThat(decides.allows("file-write-create", child(MacView.WORKSPACE, "other").latin1()))
        .isTrue();
    assertThat(decides.allows("file-write-data", UnixPath.ofText("/etc/hosts").latin1())).isFalse();
  }

  @Test
  void manyRulesAreReadFromADescriptor() {
    MacView view = new MacView();
    for (int i = 0; i < 300; i++) {
      view.file(Kind.DENY_READ, MacView.WORKSPACE.resolve("secret" + i));
    }
    Launch launch = backend().prepare(view.request());

    assertThat(launch.argv().stream().mapToInt(word -> word.length)).allMatch(size -> size < 4096);
    assertThat(launch.arguments()).isNotNull();
    EveryPrecedence decides = EveryPrecedence.of(SandboxExec.of(launch));
    UnixPath last = MacView.WORKSPACE.resolve("secret299");
    assertThat(decides.allows("file-read-data", last.latin1())).isFalse();
    assertThat(decides.allows("file-read-data", MacView.WORKSPACE.resolve("secret300").latin1()))
        .isTrue();
  }

  @Test
  void moreRulesThanArgumentsCanHoldAreRefused() {
    MacView view = new MacView();
    String directory = "d".repeat(250) + "/" + "e".repeat(250) + "/";
    for (int i = 0; i < 1500; i++) {
      view.file(Kind.DENY_READ, MacView.WORKSPACE.resolve(directory + i));
    }

    assertThatThrownBy(() -> backend().prepare(view.request()))
        .isInstanceOf(SandboxSetupException.class)
        .hasMessageContaining("too many rules")
        .hasMessageContaining("deny a directory");
  }
}
