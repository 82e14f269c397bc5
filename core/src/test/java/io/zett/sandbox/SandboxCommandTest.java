package io.zett.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SandboxCommandTest {

  @Test
  void aListIsKeptAsItIs() {
    List<String> words = new ArrayList<>(List.of("printf", "%s|", "a b", "", "*", "$HOME", "\n"));
    SandboxCommand command = SandboxCommand.of(words);
    words.clear();
    assertThat(command.arguments()).containsExactly("printf", "%s|", "a b", "", "*", "$HOME", "\n");
    assertThat(command.shellText()).isEmpty();
    assertThat(command.program()).isEqualTo("printf");
    assertThat(SandboxCommand.of("printf", "%s|", "a b", "", "*", "$HOME", "\n"))
        .isEqualTo(command)
        .hasSameHashCodeAs(command);
    assertThat(SandboxCommand.of("--bind").arguments()).containsExactly("--bind");
  }

  @Test
  void aStringGoesToTheShell() {
    SandboxCommand command = SandboxCommand.shell("echo 'unbalanced");
    assertThat(command.arguments()).containsExactly("/bin/sh", "-c", "echo 'unbalanced");
    assertThat(command.shellText()).contains("echo 'unbalanced");
    assertThat(SandboxCommand.shell("").shellText()).contains("");
    assertThat(command).isNotEqualTo(SandboxCommand.of(command.arguments()));
  }

  @Test
  @SuppressWarnings("NullAway") // callers without the checker do it
  void whatNoProgramCanBeGivenIsRefusedWithoutShowingIt() {
    Stream.<Runnable>of(
            () -> SandboxCommand.shell("echo hunter2\0"),
            () -> SandboxCommand.shell("echo hunter2\ud800"),
            () -> SandboxCommand.of("p\0hunter2"),
            () -> SandboxCommand.of("p", "hunter2\0"),
            () -> SandboxCommand.of("p", "hunter2\udfff"),
            () -> SandboxCommand.of("p", "hunter2", null),
            () -> SandboxCommand.of(Arrays.asList("p", null, "hunter2")),
            () -> SandboxCommand.of(Collections.singletonList(null)),
            () -> SandboxCommand.of(List.of()),
            () -> SandboxCommand.of(""),
            () -> SandboxCommand.of(List.of("", "hunter2")),
            () -> SandboxCommand.of("p").env("A", "hunter2\0"),
            () -> SandboxCommand.of("p").env("A=hunter2", "x"),
            () -> SandboxCommand.of("p").env("", "hunter2"),
            () -> SandboxCommand.of("p").env(Map.of("A\0", "hunter2")),
            () -> SandboxCommand.of("p").input("hunter2\ud800"),
            () -> SandboxCommand.of("p").timeout(Duration.ZERO),
            () -> SandboxCommand.of("p").timeout(Duration.ofNanos(-1)),
            () -> SandboxCommand.of("p").maxOutputBytes(-1),
            () -> SandboxCommand.of("p").cwd(Path.of("~/x")),
            () -> SandboxCommand.of("p").cwd(Path.of("")),
            () -> SandboxCommand.of("p").input(Path.of("~/x")))
        .forEach(
            call ->
                assertThatIllegalArgumentException()
                    .isThrownBy(call::run)
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("hunter2")));
  }

  @Test
  void whatAProgramCanBeGivenIsAccepted() {
    assertThat(SandboxCommand.of("p", "hé漢🙂", "\n", "\t").arguments()).hasSize(4);
    assertThat(SandboxCommand.of("p").env("a.b", "").env("x y", "1").env()).hasSize(2);
    assertThat(SandboxCommand.of("p").input("\0").input()).isPresent();
    assertThat(SandboxCommand.of("p").cwd(Path.of("-x")).cwd()).contains(Path.of("-x"));
  }

  @Test
  void aChangeGivesACopyAndLeavesTheRest() {
    SandboxCommand plain = SandboxCommand.of("p", "a");
    SandboxCommand changed =
        plain
            .cwd(Path.of("sub"))
            .env("B", "2")
            .env(Map.of("A", "1", "B", "3"))
            .input("text")
            .timeout(Duration.ofSeconds(5))
            .maxOutputBytes(0)
            .mergeStderr()
            .checked();
    assertThat(plain).isEqualTo(SandboxCommand.of("p", "a"));
    assertThat(changed.arguments()).isEqualTo(plain.arguments());
    assertThat(changed.cwd()).contains(Path.of("sub"));
    assertThat(changed.env()).containsExactly(Map.entry("A", "1"), Map.entry("B", "3"));
    assertThat(changed.input()).contains(new CommandInput.Text("text"));
    assertThat(changed.timeout()).contains(Duration.ofSeconds(5));
    assertThat(changed.timeoutDisabled()).isFalse();
    assertThat(changed.maxOutputBytes()).isZero();
    assertThat(changed.mergesStderr()).isTrue();
    assertThat(changed.isChecked()).isTrue();
  }

  @Test
  void theDefaultsAreTheContracts() {
    SandboxCommand command = SandboxCommand.of("p");
    assertThat(command.cwd()).isEmpty();
    assertThat(command.env()).isEmpty();
    assertThat(command.input()).isEmpty();
    assertThat(command.timeout()).isEmpty();
    assertThat(command.timeoutDisabled()).isFalse();
    assertThat(command.maxOutputBytes()).isEqualTo(1_048_576);
    assertThat(command.mergesStderr()).isFalse();
    assertThat(command.isChecked()).isFalse();
  }

  @Test
  void ofTimeLimitsTheLastWins() {
    SandboxCommand none = SandboxCommand.of("p").timeout(Duration.ofSeconds(1)).noTimeout();
    assertThat(none.timeout()).isEmpty();
    assertThat(none.timeoutDisabled()).isTrue();
    SandboxCommand some = none.timeout(Duration.ofSeconds(2));
    assertThat(some.timeout()).contains(Duration.ofSeconds(2));
    assertThat(some.timeoutDisabled()).isFalse();
  }

  @Test
  void inputIsCopiedAndFilesAreTheCurrentDirectorys() {
    byte[] bytes = {1, 2};
    SandboxCommand command = SandboxCommand.of("p").input(bytes);
    bytes[0] = 9;
    CommandInput.Bytes input = (CommandInput.Bytes) command.input().orElseThrow();
    assertThat(input.toBytes()).containsExactly(1, 2);
    input.toBytes()[0] = 9;
    assertThat(input).isEqualTo(new CommandInput.Bytes(new byte[] {1, 2}));
    assertThat(SandboxCommand.of("p").input(Path.of("data")).input())
        .contains(new CommandInput.File(Path.of("data").toAbsolutePath()));
    assertThat(new CommandInput.Text("é").toBytes()).containsExactly(0xc3, 0xa9);
    InputStream stream = new ByteArrayInputStream(bytes);
    assertThat(SandboxCommand.of("p").input(stream).input())
        .contains(new CommandInput.Stream(stream));
  }

  @Test
  void theTextNeverShowsValuesInputOrTheShellText() {
    SandboxCommand list =
        SandboxCommand.of("psql", "hunter2").env("PGPASSWORD", "hunter2").input("hunter2");
    assertThat(list.toString()).isEqualTo("SandboxCommand[psql, 1 argument, env [PGPASSWORD]]");
    assertThat(SandboxCommand.of("ls").toString()).isEqualTo("SandboxCommand[ls, 0 arguments]");
    assertThat(SandboxCommand.shell("echo hunter2").toString())
        .isEqualTo("SandboxCommand[/bin/sh, a shell text of 12 characters]");
    assertThat(list.input().toString()).doesNotContain("hunter2");
    assertThat(new CommandInput.Bytes(new byte[7]).toString()).isEqualTo("Bytes[7]");
  }
}
