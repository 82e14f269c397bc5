package io.zett.sandbox.agentsandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.zett.sandbox.SandboxPolicy;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springaicommunity.sandbox.ExecResult;
import org.springaicommunity.sandbox.ExecSpec;
import org.springaicommunity.sandbox.FileSpec;
import org.springaicommunity.sandbox.LocalSandbox;
import org.springaicommunity.sandbox.SandboxException;
import org.springaicommunity.sandbox.TimeoutException;

class ZettSandboxTest {
  @TempDir Path folder;

  private static ExecSpec shell(String text) {
    return ExecSpec.builder().shellCommand(text).build();
  }

  @Test
  void itIsMadeAsALocalSandboxIs() throws Exception {
    Path project = folder.resolve("new/project");
    try (var sandbox =
        ZettSandbox.builder()
            .workingDirectory(project)
            .customizer(spec -> spec.toBuilder().env("A", "1").build())
            .customizer(spec -> spec.toBuilder().env("A", spec.env().get("A") + "2").build())
            .withFile("src/a.txt", "a")
            .withFiles(List.of(FileSpec.of("b.txt", "b")))
            .build()) {
      assertThat(sandbox.workDir()).isEqualTo(project.toRealPath());
      assertThat(sandbox.shouldCleanupOnClose()).isFalse();
      assertThat(sandbox.getCustomizers()).hasSize(2);
      ExecResult result = sandbox.exec(shell("[[ -n $A ]] && echo $A; cat src/a.txt b.txt"));
      assertThat(result.mergedLog()).isEqualTo("12\nab");
    }
    assertThat(project.resolve("src/a.txt")).hasContent("a");
    Path temporary;
    try (var sandbox = ZettSandbox.builder().tempDirectory("x-").withFile("a", "a").build()) {
      temporary = sandbox.workDir();
      assertThat(sandbox.shouldCleanupOnClose()).isTrue();
      assertThat(temporary.resolve("a")).exists();
    }
    assertThat(temporary).doesNotExist();
  }

  @Test
  void whatLocalSandboxAnswersItAnswersToo() {
    try (var local = LocalSandbox.builder().workingDirectory(folder).build();
        var zett = ZettSandbox.builder().workingDirectory(folder).build()) {
      for (String text :
          List.of("echo a; echo b >&2; exit 3", "kill -9 $$", "no-such-program", "pwd")) {
        ExecResult wanted = local.exec(shell(text));
        ExecResult got = zett.exec(shell(text));
        assertThat(got.exitCode()).as(text).isEqualTo(wanted.exitCode());
        assertThat(got.stdout()).isEqualTo(wanted.stdout());
        assertThat(got.stderr()).isEqualTo(wanted.stderr());
      }
    }
  }

  @Test
  void timeIsThatOfTheSpecificationElseOfThePolicy() {
    SandboxPolicy policy = SandboxPolicy.builder().timeout(Duration.ofMillis(200)).build();
    try (var sandbox = ZettSandbox.builder().workingDirectory(folder).policy(policy).build()) {
      assertThatExceptionOfType(SandboxException.class)
          .isThrownBy(() -> sandbox.exec(ExecSpec.of("sleep", "1000")))
          .withMessageContaining("timed out")
          .satisfies(
              e ->
                  assertThat(((TimeoutException) e.getCause()).getTimeout())
                      .isEqualTo(Duration.ofMillis(200)));
      ExecSpec patient =
          ExecSpec.builder().command("sleep", "0.4").timeout(Duration.ofSeconds(60)).build();
      assertThat(sandbox.exec(patient).success()).isTrue();
    }
    try (var sandbox = ZettSandbox.builder().workingDirectory(folder).build()) {
      assertThat(sandbox.session().policy().timeout()).isEmpty();
      assertThat(sandbox.session().policy().requireIsolation()).isTrue();
    }
  }

  @Test
  void aLimitAndCutOutputAreToldInALastLine() {
    SandboxPolicy policy = SandboxPolicy.builder().memory("128MB").build();
    try (var sandbox =
        ZettSandbox.builder().workingDirectory(folder).policy(policy).maxOutputBytes(10).build()) {
      ExecResult limited = sandbox.exec(shell("head -c 400000000 /dev/zero | tail"));
      assertThat(limited.exitCode()).isEqualTo(137);
      assertThat(limited.stderr()).endsWith("zett: ended by its limit of memory\n");
      ExecResult cut = sandbox.exec(shell("echo 0123456789abc; echo x >&2"));
      assertThat(cut.stdout())
          .isEqualTo("0123456789\nzett: only the first 10 of 14 bytes are here\n");
      assertThat(cut.stderr()).isEqualTo("x\n");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ZettSandbox.builder().maxOutputBytes(-1))
        .withMessageContaining("maxOutputBytes");
  }

  @Test
  void wrongUseSaysWhatIsWrong() {
    assertThatExceptionOfType(SandboxException.class)
        .isThrownBy(() -> ZettSandbox.builder().workingDirectory(Path.of("/")).build())
        .withMessageContaining("workspace");
    assertThatExceptionOfType(SandboxException.class)
        .isThrownBy(
            () -> ZettSandbox.builder().workingDirectory(folder).withFile("../x", "x").build())
        .withMessageContaining("../x");
    var sandbox = ZettSandbox.builder().workingDirectory(folder).build();
    try (sandbox) {
      assertThatExceptionOfType(SandboxException.class)
          .isThrownBy(() -> sandbox.exec(ExecSpec.of("echo", "a\0b")))
          .withMessageContaining("NUL");
    }
    sandbox.close();
    assertThat(sandbox.isClosed()).isTrue();
    assertThat(sandbox.workDir()).isEqualTo(folder);
    assertThatIllegalStateException().isThrownBy(() -> sandbox.exec(ExecSpec.of("true")));
    assertThatIllegalStateException()
        .isThrownBy(() -> sandbox.startInteractive(ExecSpec.of("true")));
    assertThatExceptionOfType(SandboxException.class)
        .isThrownBy(() -> sandbox.files().read("x"))
        .withMessageContaining("closed");
  }

  @Test
  void anInterruptEndsTheCommandAndStaysSet() {
    try (var sandbox = ZettSandbox.builder().workingDirectory(folder).build()) {
      Thread.currentThread().interrupt();
      assertThatExceptionOfType(SandboxException.class)
          .isThrownBy(() -> sandbox.exec(ExecSpec.of("sleep", "1000")));
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void anInteractiveProcessIsTalkedTo() throws Exception {
    try (var sandbox = ZettSandbox.builder().workingDirectory(folder).build()) {
      Process process =
          sandbox.startInteractive(
              ExecSpec.builder()
                  .shellCommand("while read x; do echo \"$A $x\"; done; echo end >&2; exit 5")
                  .env("A", "hello")
                  .build());
      assertThat(process.isAlive()).isTrue();
      assertThatExceptionOfType(IllegalThreadStateException.class).isThrownBy(process::exitValue);
      BufferedReader answers =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      try (OutputStream stdin = process.getOutputStream()) {
        stdin.write("you\n".getBytes(StandardCharsets.UTF_8));
        stdin.flush();
        assertThat(answers.readLine()).isEqualTo("hello you");
      }
      assertThat(process.waitFor()).isEqualTo(5);
      assertThat(process.getErrorStream().readAllBytes()).asString().isEqualTo("end\n");
      assertThat(process.onExit().get()).isSameAs(process);

      Process asked = sandbox.startInteractive(ExecSpec.of("sleep", "1000"));
      assertThat(asked.waitFor(1, TimeUnit.MILLISECONDS)).isFalse();
      asked.destroy();
      assertThat(asked.waitFor()).isEqualTo(143);
      Process killed = sandbox.startInteractive(ExecSpec.of("sleep", "1000"));
      assertThat(killed.destroyForcibly().waitFor()).isEqualTo(137);
      assertThat(killed.isAlive()).isFalse();
      Process missing = sandbox.startInteractive(ExecSpec.of("no-such-program"));
      assertThat(missing.waitFor()).isEqualTo(127);
    }
  }

  @Test
  void aHostileCommandReadsNoKeyAndWritesNothingOutside() throws Exception {
    Path key = Host.key("SECRET");
    Path outside = Host.outside();
    Path victim = Files.writeString(outside.resolve("victim"), "as it was");
    try (var sandbox = ZettSandbox.builder().workingDirectory(folder).build()) {
      ExecResult read = sandbox.exec(shell("cat '" + key + "' /etc/shadow"));
      assertThat(read.success()).isFalse();
      assertThat(read.mergedLog()).doesNotContain("SECRET", "root:");
      assertThat(sandbox.exec(shell("echo x > '" + victim + "'")).success()).isFalse();
      sandbox.exec(shell("ln -s '" + key + "' link; ln -s '" + outside + "' out; mkfifo fifo"));
      for (String path : List.of("link", key.toString(), "out/victim", "../victim", "fifo")) {
        assertThatExceptionOfType(SandboxException.class)
            .isThrownBy(() -> sandbox.files().read(path));
      }
      assertThat(sandbox.files().exists("out/victim")).isFalse();
      assertThat(sandbox.files().exists("../victim")).isFalse();
      for (String path : List.of("out/victim", "../victim", victim.toString())) {
        assertThatExceptionOfType(SandboxException.class)
            .isThrownBy(() -> sandbox.files().create(path, "x"));
        assertThatExceptionOfType(SandboxException.class)
            .isThrownBy(() -> sandbox.files().delete(path, true));
        assertThatExceptionOfType(SandboxException.class)
            .isThrownBy(() -> sandbox.files().createDirectory(path + ".d"));
      }
      sandbox.files().create("link", "x");
    }
    assertThat(key).hasContent("SECRET");
    assertThat(victim).hasContent("as it was");
    assertThat(outside.toFile().list()).containsExactly("victim");
    assertThat(folder.resolve("../victim")).doesNotExist();
  }

  @Test
  void closingLeavesNothing() throws Exception {
    String mark = "mark-" + UUID.randomUUID();
    var sandbox = ZettSandbox.builder().tempDirectory().build();
    Process process;
    try (sandbox) {
      process = sandbox.startInteractive(shell(": " + mark + "; echo up; setsid sleep 1000; true"));
      assertThat(process.getInputStream().read()).isEqualTo('u');
      assertThat(Host.runs(mark)).isTrue();
    }
    assertThat(Host.runs(mark)).isFalse();
    assertThat(process.waitFor()).isEqualTo(137);
    assertThat(sandbox.workDir()).doesNotExist();
  }
}
