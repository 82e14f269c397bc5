package io.zett.sandbox.policyfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyFileTest {
  private static final Path FOLDER = Path.of("/srv/project");
  private static final Path HOME = Path.of(System.getProperty("user.home"));

  private static final String EVERYTHING =
      """
      # all options
      memory: 512MB
      cpus: 1.5
      cpuSeconds: 60
      processes: 32
      maxFileSize: 1G
      openFiles: 0x40
      scratchSize: 67108864
      timeout: 2.5
      network: unrestricted
      blockUnixSockets: true
      protectDeveloperFiles: true
      writable: [build, /var/cache/a, ../beside, ~/cache, "~"]
      denyWrite:
        - build/keep
      denyRead: [.env, "with: colon"]
      allowRead: [~/.netrc]
      env:
        CI: "true"
        VERSION: 1.10
        DEBUG: on
        PORT: 8080
        EMPTY: ""
      home: private
      backend: bubblewrap
      requireIsolation: true
      memoryStrategy: watchdog
      maxConcurrent: 4
      warm: 2
      """;

  @TempDir Path temporary;

  private static SandboxPolicy parse(String text) {
    return PolicyFile.parse(text, FOLDER);
  }

  private static PolicyFileException refusal(String text) {
    return catchThrowableOfType(PolicyFileException.class, () -> parse(text));
  }

  private static SandboxPolicy everything() {
    return SandboxPolicy.builder()
        .memory(512_000_000)
        .cpus(1.5)
        .cpuSeconds(60)
        .processes(32)
        .maxFileSize(1L << 30)
        .openFiles(64)
        .scratchSize(64L << 20)
        .timeout(Duration.ofMillis(2500))
        .network(true)
        .blockUnixSockets(true)
        .protectDeveloperFiles()
        .writable(FOLDER.resolve("build"), Path.of("/var/cache/a"), FOLDER.resolve("../beside"))
        .writable(HOME.resolve("cache"), HOME)
        .denyWrite(FOLDER.resolve("build/keep"))
        .denyRead(FOLDER.resolve(".env"), FOLDER.resolve("with: colon"))
        .allowRead(HOME.resolve(".netrc"))
        .env(Map.of("CI", "true", "VERSION", "1.10", "DEBUG", "on", "PORT", "8080", "EMPTY", ""))
        .home(HomeMode.PRIVATE)
        .backend(SandboxBackend.BUBBLEWRAP)
        .requireIsolation(true)
        .memoryStrategy(MemoryStrategy.WATCHDOG)
        .maxConcurrent(4)
        .warm(2)
        .build();
  }

  @Test
  void everyOptionReachesThePolicy() {
    assertThat(Key.spellings()).allSatisfy(key -> assertThat(EVERYTHING).contains("\n" + key));
    assertThat(parse(EVERYTHING)).isEqualTo(everything());
  }

  @Test
  void jsonIsReadAsWell() {
    assertThat(
            parse(
                "{\n\t\"memory\": \"512MB\",\n\t\"cpus\":1.5, \"timeout\": \"none\","
                    + "\"writable\":[\"a\\/b\", \"\\u00e4\\ud83d\\ude00\"],"
                    + "\"env\":{\"A\":\"b\\n\"}}"))
        .isEqualTo(
            SandboxPolicy.builder()
                .memory("512MB")
                .cpus(1.5)
                .noTimeout()
                .writable(FOLDER.resolve("a/b"), FOLDER.resolve("ä😀"))
                .env("A", "b\n")
                .build());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "# nothing\n", "---\n", "{}", "--- {}\n...\n", "null"})
  void aFileThatSaysNothingIsTheDefault(String text) {
    assertThat(parse(text)).isEqualTo(SandboxPolicy.builder().build());
  }

  @Test
  void aFileIsReadInItsOwnFolder() throws Exception {
    Path file = Files.writeString(temporary.resolve("sandbox.yaml"), "\uFEFFwritable: [., ~/x]\n");
    Path home = Path.of("/home/somebody");

    assertThat(PolicyFile.load(file).writable())
        .containsExactlyInAnyOrder(HOME.resolve("x"), temporary);
    assertThat(PolicyFile.read(file, home).policy().writable())
        .containsExactlyInAnyOrder(home.resolve("x"), temporary);
  }

  @Test
  void aSessionRunsByAFile() throws Exception {
    Files.writeString(temporary.resolve("data"), "out of reach");
    Path file =
        Files.writeString(
            temporary.resolve("sandbox.yaml"),
            "denyRead: [data]\nenv: {GREETING: hello}\nmemory: 256MB\n");
    try (SandboxSession session =
        SandboxSession.builder(PolicyFile.load(file)).workspace(temporary).open()) {
      assertThat(session.run("cat data; echo $GREETING").stdout()).isEqualTo("hello\n");
    }
  }

  @Test
  void aFileLiesOverAnotherPolicy() throws Exception {
    Path file =
        Files.writeString(
            temporary.resolve("p.yaml"), "memory: 1G\ndenyRead: [b]\nenv: {A: new}\n");
    SandboxPolicy base =
        SandboxPolicy.builder()
            .memory("2G")
            .noTimeout()
            .denyRead(Path.of("/a"))
            .env(Map.of("A", "old", "B", "kept"))
            .build();

    SandboxPolicy policy = PolicyFile.read(file).over(base);

    assertThat(policy.memory()).hasValue(1L << 30);
    assertThat(policy.timeout()).isEmpty();
    assertThat(policy.denyRead()).containsExactly(Path.of("/a"), temporary.resolve("b"));
    assertThat(policy.env()).isEqualTo(Map.of("A", "new", "B", "kept"));
  }

  @Test
  void theLineOfAPathIsKnown() throws Exception {
    Files.createDirectories(temporary.resolve("build"));
    Files.createSymbolicLink(temporary.resolve("link"), Path.of("build"));
    Path file =
        Files.writeString(
            temporary.resolve("p.yaml"), "memory: 1G\ndenyRead:\n  - a\n  - ./b\nwritable: [link]");
    PolicyFile policy = PolicyFile.read(file);

    assertThat(policy.line("denyRead", temporary.resolve("b"))).hasValue(4);
    assertThat(policy.line("writable", temporary.resolve("build").toRealPath())).hasValue(5);
    assertThat(policy.line("denyWrite", temporary.resolve("b"))).isEmpty();
    assertThat(policy.line("denyRead", temporary.resolve("c"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          memry: 1G                  | policy:1:1: "memry" is no option of a policy; did you mean "memory"?
          deny-read: [a]             | policy:1:1: "deny-read" is no option of a policy; did you mean "denyRead"?
          CPUSeconds: 3              | policy:1:1: "CPUSeconds" is no option of a policy; did you mean "cpuSeconds"?
          color: blue                | policy:1:1: "color" is no option of a policy; the options are memory,
          '{cpus: 1, <<: {a: b}}'    | policy:1:11: "<<" is no option of a policy; the options are
          workspace: .               | policy:1:1: "workspace" is no option of a policy, which says what may be done
          noTimeout: true            | policy:1:1: "noTimeout" is written timeout: none
          requireIsolation: yes      | policy:1:19: requireIsolation: the text "yes" is not what belongs here; write true
          blockUnixSockets: off      | policy:1:19: blockUnixSockets: the text "off" is not what belongs here; write false
          network: no                | policy:1:10: network: the text "no" is not what belongs here; write false
          home: privat               | policy:1:7: home: "privat" is not one of host, private; did you mean "private"?
          memory: 512                | policy:1:9: memory: 512 bytes? The least is 4 MiB; "512M" is 512 MiB
          memory: 1.5                | policy:1:9: memory: the number 1.5 is not what belongs here; write a size such as 512MB
          memory: 99999999999999999999 | policy:1:9: memory: 99999999999999999999 is more bytes than any machine has
          memory: {a: b}             | policy:1:9: memory: a map is not what belongs here
          processes: 2147483648      | policy:1:12: processes: 2147483648 is above the most, 4194304
          processes: -99999999999    | policy:1:12: processes: -99999999999 is below any number that is taken
          cpus: .nan                 | policy:1:7: cpus: NaN is no share of processors
          timeout: .inf              | policy:1:10: timeout: .inf is no time; write seconds above 0, or none for no limit
          timeout: 1e-12             | policy:1:10: timeout: 1e-12 is less than a nanosecond
          timeout: 1e999999999       | policy:1:10: timeout: 1e999999999 is no time
          timeout: 1e-999999999      | policy:1:10: timeout: 1e-999999999 is no time
          writable: build            | policy:1:11: writable: the text "build" is not what belongs here; write a list of paths
          writable: [a, ~]           | policy:1:15: writable: "~", which means nothing in YAML, is no path; put it in quotation marks, "~" is
          writable: [7]              | policy:1:12: writable: the number 7 is no path; put it in quotation marks
          writable: [~root/x]        | policy:1:12: writable: "~root/x": only your own home is known here
          'writable: ["a\\0b"]'      | policy:1:12: writable: this cannot be a path here
          writable: [/]              | policy:1:12: writable: / is the whole disk
          writable: [[a]]            | policy:1:12: writable: no list or map can stand inside another one here
          'env: {A: 1, A: 2}'        | policy:1:13: "A" is there twice, first in line 1; keep one of the two
          'env: {"A=secret": x}'     | policy:1:7: env: a variable's name holds "=" after "A"
          'a: &x [1]'                | policy:1:4: anchors and aliases are not read here; write the value out
          'memory: *x'               | policy:1:9: anchors and aliases are not read here; write the value out
          'memory: !!str 1G'         | policy:1:9: tags are not read here
          '- memory'                 | policy:1:1: a policy is a map of options, such as memory: 512MB
          'memory: [1G'              | policy:1:12: this is no YAML: expected
          'memory: @x'               | policy:1:9: this is no YAML: found character '@' that cannot start any token
          """)
  void whatIsWrongIsToldWithItsPlace(String text, String message) {
    assertThat(refusal(text)).hasMessageStartingWith(message);
  }

  @Test
  void thePlaceOfLaterLinesIsTold() {
    PolicyFileException twice = refusal("memory: 1G\n\n  # a comment\nmemory: 2G\n");
    assertThat(twice)
        .hasMessage("policy:4:1: \"memory\" is there twice, first in line 1; keep one of the two");
    assertThat(twice.line()).isEqualTo(4);
    assertThat(twice.column()).isEqualTo(1);
    assertThat(refusal("cpus: 1\n---\ncpus: 2\n"))
        .hasMessage("policy:2:1: a second document begins here; a policy is one document");
    assertThat(refusal("%YAML 1.1\n---\nnetwork: no\n"))
        .hasMessageContaining("this file is read as YAML 1.2");
    assertThat(refusal("env: {Ä😀: x}\nnetwork: \0"))
        .hasMessage("policy:2:10: a NUL character, which stands in no YAML text");
    assertThat(refusal("env:\n  TOKEN: [hunter2]\n")).hasMessageNotContaining("hunter2");
    assertThat(refusal("env: hunter2\n")).hasMessageNotContaining("hunter2");
  }

  @Test
  void theNameIsThatOfTheFile() throws Exception {
    Path file = Files.writeString(temporary.resolve("my policy.json"), "{\n  \"warm\": -1\n}");
    assertThatThrownBy(() -> PolicyFile.load(file))
        .isInstanceOf(PolicyFileException.class)
        .hasMessageStartingWith(file + ":2:11: warm: -1 sandboxes kept ahead?");
  }

  @Test
  void whatIsNoTextIsRefusedWithItsPlace() throws Exception {
    Path latin = temporary.resolve("latin.yaml");
    Files.write(latin, "cpus: 1\n# caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> PolicyFile.load(latin))
        .hasMessage(latin + ":2:6: a byte here is not UTF-8; save the file as UTF-8");
    Path cut = temporary.resolve("cut.yaml");
    Files.write(cut, new byte[] {'#', ' ', (byte) 0xE2, (byte) 0x82});
    assertThatThrownBy(() -> PolicyFile.load(cut)).hasMessageStartingWith(cut + ":1:3: a byte");
  }

  @Test
  void aFileWithoutAnEndIsRefused() {
    Path endless = Path.of("/dev/zero");
    assertThatThrownBy(() -> PolicyFile.load(endless))
        .hasMessageStartingWith("/dev/zero:1:1: this is longer than 1 MiB");
    assertThatThrownBy(() -> parse(" ".repeat((1 << 20) + 1)))
        .hasMessageStartingWith("policy:1:1: this is longer than 1 MiB");
    assertThat(parse("#" + " ".repeat((1 << 20) - 1))).isNotNull();
  }

  @Test
  void aFileThatCannotBeReadIsAnErrorOfItsOwn() throws IOException {
    Path missing = temporary.resolve("missing.yaml");
    assertThatThrownBy(() -> PolicyFile.load(missing)).isInstanceOf(NoSuchFileException.class);
    Path folder = Files.createDirectory(temporary.resolve("folder"));
    assertThatThrownBy(() -> PolicyFile.load(folder)).isInstanceOf(IOException.class);
  }

  @Test
  void deepNestingAndManyAliasesCostNothing() {
    assertThat(refusal("[".repeat(1 << 20))).hasMessageStartingWith("policy:1:1: ");
    assertThat(refusal("denyRead: " + "[".repeat(1 << 19))).hasMessageStartingWith("policy:1:12: ");
    assertThat(refusal("denyRead: " + "{a: ".repeat(1 << 17))).hasMessageContaining("inside");
    assertThat(refusal("a: &a [x,x]\nb: &b [*a,*a,*a]\nc: [*b,*b,*b]\n"))
        .hasMessageContaining("anchors and aliases are not read");
    StringBuilder many = new StringBuilder("denyRead:\n");
    for (int i = 0; i < 20_000; i++) {
      many.append("  - file").append(i).append('\n');
    }
    assertThat(parse(many.toString()).denyRead()).hasSize(20_000);
  }
}
