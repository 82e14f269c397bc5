package io.zett.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.policyfile.PolicyFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --policy} and {@code zett policy}. */
class PolicyEndToEndTest {
  @TempDir Path temporary;
  private Path folder;

  @BeforeEach
  void files() throws Exception {
    folder = temporary.toRealPath();
    Files.createDirectories(folder.resolve("work/build"));
    Files.writeString(folder.resolve("work/.env"), "SECRET");
    Files.writeString(folder.resolve("work/notes"), "readable");
    Files.writeString(
        folder.resolve("work/sandbox.yaml"),
        """
        memory: 256MB
        timeout: 45
        denyRead:
          - .env
        denyWrite: [notes]
        env: {WHO: file, WHAT: policy}
        """);
  }

  private RunRequest request(String... words) {
    String[] all = Stream.concat(Stream.of("run"), Stream.of(words)).toArray(String[]::new);
    return RunRequest.of(
        Commands.lineFor("run").parseArgs(all).subcommand(),
        name -> Optional.ofNullable(Map.of("HOME", "/home/somebody").get(name)));
  }

  private String file(String name, String text) throws Exception {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @Test
  void optionsWinOverTheFileAndAddToItsLists() throws Exception {
    String file =
        file(
            "p.yaml",
            "memory: 1G\ntimeout: 5\nwarm: 1\nmaxConcurrent: 3\ndenyRead: [a, ~/b]\n"
                + "env: {A: file, B: file}\n");
    SandboxPolicy policy =
        request(
                "--memory=2G",
                "--policy=" + file,
                "--deny-read=/c",
                "--env=A=typed",
                "--network",
                "true")
            .policy();

    assertThat(policy)
        .isEqualTo(
            SandboxPolicy.builder()
                .memory("2G")
                .timeout(Duration.ofSeconds(5))
                .warm(1)
                .maxConcurrent(3)
                .denyRead(folder.resolve("a"), Path.of("/home/somebody/b"), Path.of("/c"))
                .env(Map.of("A", "typed", "B", "file"))
                .denyWrite(Path.of(file))
                .network(true)
                .build());
    assertThat(request("--policy", file, "--timeout", "none", "x").policy().timeout()).isEmpty();
  }

  @Test
  void aFileWithoutATimeLimitGivesNone() throws Exception {
    assertThat(request("--policy", file("p.yaml", "memory: 1G"), "true").policy().timeout())
        .isEmpty();
  }

  @Test
  void aCommandRunsByAFile() throws Exception {
    ZettProcess.End end =
        ZettProcess.run(
            folder,
            "run",
            "--policy",
            "work/sandbox.yaml",
            "--workspace",
            "work",
            "--env",
            "WHO=typed",
            "-c",
            "cat .env; echo x > notes; echo $WHO $WHAT");

    assertThat(end.out()).isEqualTo("typed policy\n");
    assertThat(end.status()).isZero();
  }

  @Test
  void aCommandCannotWriteItsOwnPolicy() throws Exception {
    String policy = Files.readString(folder.resolve("work/sandbox.yaml"));
    ZettProcess.End end =
        ZettProcess.run(
            folder,
            "run",
            "--policy",
            "work/sandbox.yaml",
            "--workspace",
            "work",
            "-c",
            "echo > sandbox.yaml; rm -f sandbox.yaml; mv sandbox.yaml x; cat sandbox.yaml");
    assertThat(end.out()).isEqualTo(policy);
    assertThat(folder.resolve("work/sandbox.yaml")).hasContent(policy);
  }

  /** A link on the way to it could be replaced, and the next command would run by another. */
  @Test
  void aPolicyBehindALinkThatTheCommandCouldReplaceIsRefused() throws Exception {
    Files.createDirectories(folder.resolve("home"));
    Files.move(folder.resolve("work/sandbox.yaml"), folder.resolve("home/p.yaml"));
    Files.createSymbolicLink(folder.resolve("work/p.yaml"), Path.of("../home/p.yaml"));
    Files.createSymbolicLink(folder.resolve("work/etc"), Path.of("../home"));
    Files.createSymbolicLink(folder.resolve("elsewhere"), Path.of("home"));
    String home = folder.resolve("home").toString();
    for (String name : List.of("work/p.yaml", "work/etc/p.yaml", "elsewhere/../work/etc/p.yaml")) {
      String file = folder.resolve(name).toString();
      String work = folder.resolve("work").toString();
      for (Spoken end :
          List.of(
              Spoken.by("run", "--policy", file, "--workspace", work, "--", "true"),
              Spoken.by("run", "--policy", file, "--writable", work, "--", "true"))) {
        assertThat(end.status()).as(end.err()).isEqualTo(2);
        assertThat(end.err()).contains("is reached by the link", "--policy " + home + "/p.yaml");
      }
    }
    String file = folder.resolve("elsewhere/p.yaml").toString();
    assertThat(Spoken.by("run", "--policy", file, "--", "true").err()).isEmpty();
    assertThat(Spoken.by("run", "--policy", file, "--policy", file, "--", "true").err())
        .contains("--policy: is given twice");
  }

  @Test
  void aPolicyCanComeThroughAPipe() throws Exception {
    ZettProcess.End end =
        ZettProcess.runLine(
            folder, "echo 'env: {A: piped}' | \"$@\" run --policy /dev/stdin -c 'echo $A'");
    assertThat(end.out()).isEqualTo("piped\n");
    ZettProcess.End redirected =
        ZettProcess.runLine(
            folder.resolve("work"),
            "\"$@\" policy explain --policy /dev/stdin --workspace . .env notes < sandbox.yaml");
    assertThat(redirected.out())
        .isEqualTo(
            "%s\n%s\n"
                .formatted(
                    ".env: hidden (denyRead in /dev/stdin:4)",
                    "notes: read only (denyWrite in /dev/stdin:5)"));
    ZettProcess.End substituted =
        ZettProcess.runLine(
            folder.resolve("work"), "\"$@\" run --policy <(cat sandbox.yaml) -c 'echo $WHO'");
    assertThat(substituted.out()).isEqualTo("file\n");
  }

  @Test
  void aWrongFileIsToldWithItsPlaceAndRunsNothing() throws Exception {
    Spoken refused = Spoken.by("run", "--policy", file("bad.yaml", "cpus: 1\nmemry: 1G\n"), "true");
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err())
        .isEqualTo(
            "zett: %s/bad.yaml:2:1: \"memry\" is no option of a policy; did you mean \"memory\"?\n"
                .formatted(folder));
    Spoken json = Spoken.by("run", "--json", "--policy", folder + "/bad.yaml", "true");
    assertThat(json.out()).contains("\"kind\":\"usage\"", "bad.yaml:2:1");
    Spoken missing = Spoken.by("run", "--policy", folder + "/none.yaml", "true");
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err())
        .isEqualTo("zett: --policy: " + folder + "/none.yaml does not exist\n");
    assertThat(Spoken.by("run", "--policy", folder.toString(), "true").err())
        .startsWith("zett: --policy: " + folder + ": ");
    assertThat(Spoken.by("doctor", "--policy", folder + "/bad.yaml").status()).isEqualTo(2);
  }

  @Test
  void doctorTriesThePolicyOfAFile() throws Exception {
    ZettProcess.End end =
        ZettProcess.run(
            folder, "doctor", "--json", "--policy", file("p.yaml", "backend: passthrough"));
    assertThat(JSON.std.mapFrom(end.out()))
        .containsEntry("backend", "passthrough")
        .containsEntry("isolated", false);
    assertThat(end.status()).isEqualTo(1);
  }

  @Test
  void pathsAreExplainedWithTheRuleThatDecides() throws Exception {
    ZettProcess.End end =
        ZettProcess.run(
            folder,
            "policy",
            "explain",
            "--policy",
            "work/sandbox.yaml",
            "--workspace",
            "work",
            "--deny-write",
            "work/build",
            "--allow-read",
            folder.toString(),
            "work/.env",
            "work/notes",
            "work/build/new",
            "work/sandbox.yaml",
            "/usr/../usr/bin",
            "/etc/shadow",
            "/tmp/x",
            "work/none");

    assertThat(end.err()).isEmpty();
    assertThat(end.out())
        .isEqualTo(
            """
            work/.env: hidden (denyRead in work/sandbox.yaml:4)
            work/notes: read only (denyWrite in work/sandbox.yaml:5)
            work/build/new: read only, missing (--deny-write %1$s/work/build)
            work/sandbox.yaml: read only (no command can write its own policy)
            /usr/../usr/bin: read only (nothing but the workspace and what is named can be written)
            /etc/shadow: hidden (list of credentials /etc/shadow)
            /tmp/x: private, missing (temporary directories are each command's own)
            work/none: read and write, missing (workspace %1$s/work)
            """
                .formatted(folder));
  }

  @Test
  void anExplanationIsAnObjectWhenJsonIsAskedFor() throws Exception {
    ZettProcess.End end =
        ZettProcess.run(
            folder, "policy", "explain", "--json", "--policy", "work/sandbox.yaml", "work/.env");

    Map<String, Object> object = JSON.std.mapFrom(end.out());
    assertThat(object).containsEntry("workspace", null).containsOnlyKeys("workspace", "paths");
    // The folder lies in /tmp, which is the command's own.
    assertThat(object.get("paths")).asList().hasSize(1);
    assertThat(end.out())
        .contains(
            "\"path\":\"" + folder + "/work/.env\",\"real\":\"" + folder + "/work/.env\"",
            "\"access\":\"private\",\"presence\":\"missing\",\"reason\":\"scratch\"",
            "\"rule\":null,\"source\":null");
    ZettProcess.End inWork =
        ZettProcess.run(
            folder.resolve("work"),
            "policy",
            "explain",
            "--json",
            "--workspace=.",
            "--policy",
            "sandbox.yaml",
            ".env");
    assertThat(inWork.out())
        .contains(
            "{\"workspace\":\"" + folder + "/work\"",
            "\"access\":\"hidden\",\"presence\":\"present\",\"reason\":\"deny_read\"",
            "\"rule\":\"" + folder + "/work/.env\",\"source\":\"sandbox.yaml:4\"");
  }

  @Test
  void whatCannotBeOpenedIsNotExplained() throws Exception {
    ZettProcess.End end =
        ZettProcess.run(folder, "policy", "explain", "--workspace", "nowhere", "x");
    assertThat(end.status()).isEqualTo(2);
    assertThat(end.out()).isEmpty();
    assertThat(end.err()).startsWith("zett: workspace: ");
  }

  @Test
  void theSchemaIsPrinted() {
    assertThat(Spoken.by("policy", "schema")).isEqualTo(new Spoken(0, PolicyFile.schema(), ""));
  }

  @Test
  void withoutAFileNothingOfItsReaderIsLoaded() throws Exception {
    String plain = loaded("run", "--", "true");
    assertThat(plain)
        .contains("io.zett.sandbox.cli.RunCommand ")
        .doesNotContain("org.snakeyaml", "io.zett.sandbox.policyfile");
    assertThat(loaded("run", "--policy", "work/sandbox.yaml", "--", "true"))
        .contains("org.snakeyaml", "io.zett.sandbox.policyfile");
  }

  private String loaded(String... words) throws Exception {
    Path log = folder.resolve("classes.log");
    List<String> all = new ArrayList<>(ZettProcess.command());
    all.add(all.indexOf("-cp"), "-Xlog:class+load:file=" + log);
    all.addAll(List.of(words));
    try (ZettProcess process = ZettProcess.start(folder, Map.of(), all)) {
      assertThat(process.end().status()).isZero();
    }
    return Files.readString(log);
  }
}
