package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.SandboxSetupException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands learn of their caller's variables, and who else learns of theirs. */
class EnvironmentTest {

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  @Test
  void onlyTheAllowListPasses() throws Exception {
    Map<String, String> callers = new TreeMap<>();
    for (String name :
        """
        LANG LANGUAGE LC_TIME TZ TERM COLORTERM NO_COLOR FORCE_COLOR CLICOLOR JAVA_HOME SHELL
        API_TOKEN MY_SECRET DB_PASSWORD PASSWD OPENAI_API_KEY SIGNING_KEY A_CREDENTIAL LC_API_KEY
        AWS_ACCESS_KEY_ID AWS_PROFILE GITHUB_ACTIONS GH_HOST GITLAB_CI CI_JOB_TOKEN NPM_TOKEN
        CARGO_REGISTRY_TOKEN SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO DBUS_SESSION_BUS_ADDRESS
        XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY KUBECONFIG GOOGLE_APPLICATION_CREDENTIALS
        DOCKER_HOST DOCKER_CONFIG VAULT_ADDR MAVEN_OPTS LD_AUDIT BASH_ENV ENV PYTHONSTARTUP
        NODE_OPTIONS PERL5OPT RUBYOPT GIT_DIR GIT_CONFIG_COUNT PYTHONPATH IFS PS4 SOMETHING
        """
            .split("\\s+")) {
      callers.put(name, "value-of-" + name);
    }
    callers.put("PATH", "/usr/bin:/bin");

    Unsandboxed.End end = Caller.run(scene, callers, "run=env | cut -d = -f 1 | sort");

    assertThat(end.out().lines())
        .containsExactlyInAnyOrder(
            "CLICOLOR",
            "COLORTERM",
            "FORCE_COLOR",
            "HOME",
            "JAVA_HOME",
            "LANG",
            "LANGUAGE",
            "LC_TIME",
            "LOGNAME",
            "NO_COLOR",
            "PATH",
            "PWD",
            "SHELL",
            "TEMP",
            "TERM",
            "TMP",
            "TMPDIR",
            "TZ",
            "USER",
            "XDG_CACHE_HOME");
  }

  @Test
  void noVariableOfTheCallerIsFoundInAnyProcess() throws Exception {
    Unsandboxed.shell(scene.workspace, "mkfifo ready go");
    List<String> words =
        Caller.words(
            scene,
            "run="
                + """
                cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n'
                env; echo; echo x > ready; cat go
                """);
    String token = "tok-" + System.nanoTime();
    Process caller = Caller.start(scene, Map.of("API_TOKEN", token), words);
    try {
      assertThat(Files.readString(scene.workspace.resolve("ready"))).isEqualTo("x\n");
      // The caller itself has it; nothing that was started for the command has.
      assertThat(processesWith(token)).containsExactly(caller.pid());
      Files.writeString(scene.workspace.resolve("go"), "");
      Unsandboxed.End end = Unsandboxed.end(caller);
      assertThat(end.out()).contains("PATH=").doesNotContain(token, "API_TOKEN");
    } finally {
      caller.destroyForcibly().waitFor();
    }
  }

  @Test
  void aSecretGivenToACommandStandsInNoCommandLineOnTheHost() throws Exception {
    Unsandboxed.shell(scene.workspace, "mkfifo ready");
    String secret = "hunter2-" + System.nanoTime();
    Path denied = scene.work("name-of-" + secret, "");
    try (SandboxSession session =
        scene.session().env("SESSION_PW", secret).denyRead(denied).open()) {
      CompletableFuture<SandboxResult> running =
          session.runAsync(
              SandboxCommand.shell("echo $DB_PW > ready; exec sleep 1000").env("DB_PW", secret));
      assertThat(Files.readString(scene.workspace.resolve("ready"))).isEqualTo(secret + "\n");

      assertThat(commandLinesWith(secret)).isEmpty();
      running.cancel(true);
    }
  }

  @Test
  void noMessageNorTextHoldsAValue() throws Exception {
    try (SandboxSession session = scene.session().env("SESSION_PW", "hunter2").open()) {
      SandboxCommand command =
          SandboxCommand.shell("echo hunter2")
              .env("DB_PW", "hunter2")
              .input("hunter2")
              .cwd(Path.of("missing"));

      assertThatExceptionOfType(SandboxSetupException.class)
          .isThrownBy(() -> session.run(command))
          .satisfies(
              e -> {
                for (Throwable at = e; at != null; at = at.getCause()) {
                  assertThat(at.toString()).doesNotContain("hunter2");
                }
              });
      assertThat(command.toString()).doesNotContain("hunter2").contains("DB_PW");
      assertThat(session.toString() + session.policy() + session.sandbox())
          .doesNotContain("hunter2");
    }
  }

  @Test
  void aCommandsVariablesReachTheCommandAndNotTheLauncher() throws Exception {
    Path pwn = scene.outside.resolve("pwn");
    plantLaunchers(pwn);
    Map<String, String> hostile = hostile();
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run(SandboxCommand.of("/usr/bin/env").env(hostile).env("LD_BIND_NOW", "1"));

      assertThat(result.stdout()).contains("BASH_ENV=" + scene.workspace + "/rc", "LD_BIND_NOW=1");
    }
    assertThat(pwn).doesNotExist();
  }

  @Test
  void theCallersVariablesSteerTheLauncherNeither() throws Exception {
    Path pwn = scene.outside.resolve("pwn");
    plantLaunchers(pwn);
    assertThat(
            Unsandboxed.end(Caller.start(scene, hostile(), List.of("/bin/sh", "-c", "bwrap")))
                .status())
        .as("harmless form: PATH and LD_PRELOAD steer a launcher that is started without care")
        .isZero();
    assertThat(pwn).content().contains("bwrap");
    Files.delete(pwn);

    Unsandboxed.End end = Caller.run(scene, hostile(), "run=echo $0 ran");

    assertThat(end.out()).as(end.err()).isEqualTo("/bin/sh ran\n");
    assertThat(pwn).doesNotExist();
  }

  private Map<String, String> hostile() {
    return Map.of(
        "PATH", ".:" + scene.workspace + ":/usr/bin:/bin",
        "LD_PRELOAD", scene.workspace + "/x.so",
        "LD_LIBRARY_PATH", scene.workspace.toString(),
        "BASH_ENV", scene.workspace + "/rc",
        "ENV", scene.workspace + "/rc",
        "SHELLOPTS", "xtrace",
        "PS4", "$(touch pwn)");
  }

  /** Programs, a start file and a library that tell on whoever uses them as a launcher. */
  private void plantLaunchers(Path pwn) throws Exception {
    for (String name : List.of("bwrap", "zett-init", "prlimit", "systemd-run", "setpriv")) {
      scene
          .work(name, "#!/bin/sh\necho " + name + " >> " + pwn + "\n")
          .toFile()
          .setExecutable(true);
    }
    scene.work("rc", "case $0 in *sh) ;; *) echo rc >> " + pwn + ";; esac\n");
    Path source =
        scene.work(
            "x.c",
            """
            #include <stdio.h>
            #include <string.h>
            #include <unistd.h>
            __attribute__((constructor)) static void loaded(void) {
              char name[4096] = {0};
              if (readlink("/proc/self/exe", name, sizeof name - 1) < 0) return;
              if (!strstr(name, "bwrap") && !strstr(name, "memfd")) return;
              FILE *file = fopen("PWN", "a");
              if (file) { fprintf(file, "preloaded by %s\\n", name); fclose(file); }
            }
            """
                .replace("PWN", pwn.toString()));
    Unsandboxed.End built =
        Unsandboxed.run(
            scene.workspace, List.of("cc", "-shared", "-fPIC", "-o", "x.so", source.toString()));
    assertThat(built.status()).as(built.err()).isZero();
  }

  private static List<Long> processesWith(String text) throws IOException {
    List<Long> found = new ArrayList<>();
    for (Path process : processes()) {
      if (content(process.resolve("environ")).contains(text)
          || content(process.resolve("cmdline")).contains(text)) {
        found.add(Long.parseLong(process.getFileName().toString()));
      }
    }
    return found;
  }

  private static List<String> commandLinesWith(String text) throws IOException {
    return processes().stream()
        .map(process -> content(process.resolve("cmdline")))
        .filter(line -> line.contains(text))
        .toList();
  }

  private static List<Path> processes() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc"))) {
      return all.filter(path -> path.getFileName().toString().matches("\\d+")).toList();
    }
  }

  private static String content(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // Another user's, or it has ended.
    }
  }
}
