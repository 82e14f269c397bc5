package io.zett.sandbox.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code zett-init}, built and checked from its caller's side by a driver in C (src/test/c), since
 * a JVM alone can make neither a socket pair nor a child with chosen descriptors. Each of the
 * driver's checks is a test here.
 */
@EnabledOnOs(OS.LINUX)
class ZettInitTest {
  private static final Path BASE = base();
  private static final String HOST = architecture();
  private static final String OTHER = HOST.equals("x86_64") ? "aarch64" : "x86_64";

  @TestFactory
  Stream<DynamicTest> asTheReaperOfAPlainProcess(@TempDir Path scratch) throws Exception {
    build(scratch);
    return checks(scratch, HOST, "reaper", List.of());
  }

  @TestFactory
  Stream<DynamicTest> asPidOneOfANamespace(@TempDir Path scratch) throws Exception {
    build(scratch);
    String bubblewrap =
        "bwrap --unshare-all --unshare-user --cap-drop ALL --die-with-parent --new-session"
            + " --ro-bind / / --dev /dev --proc /proc --as-pid-1 --bind";
    List<String> launcher =
        joined(List.of(bubblewrap.split(" ", -1)), scratch.toString(), scratch.toString());
    assumeTrue(
        isOnPath("bwrap") && run(scratch.resolve("probe"), joined(launcher, "true")).status() == 0,
        "bubblewrap is missing or cannot make a sandbox here");
    return checks(scratch, HOST, "pid1", launcher);
  }

  @TestFactory
  Stream<DynamicTest> builtForTheOtherArchitecture(@TempDir Path scratch) throws Exception {
    Finished build = build(scratch);
    String emulator = "qemu-" + OTHER;
    assumeTrue(isOnPath(emulator), emulator + " is missing");
    assumeTrue(Files.exists(program(scratch, OTHER)), build.text());
    return checks(scratch, OTHER, "reaper", List.of(emulator));
  }

  @Test
  void theSameSourceMakesTheSameBytesInAnyFolder(@TempDir Path scratch) throws Exception {
    Path other = Files.createDirectories(scratch.resolve("copy/of it/c"));
    try (Stream<Path> files = Files.list(BASE.resolve("src/main/c"))) {
      for (Path file : files.toList()) {
        Files.copy(file, other.resolve(file.getFileName()));
      }
    }
    build(scratch);
    Finished again = build(other.resolve("zett-init.c"), other);
    assertThat(again.status()).as(again.text()).isZero();
    assertThat(program(other, HOST)).hasSameBinaryContentAs(program(scratch, HOST));
  }

  @Test
  void whatIsUpToDateIsNotBuiltAgain(@TempDir Path scratch) throws Exception {
    build(scratch);
    var first = Files.getLastModifiedTime(program(scratch, HOST));
    build(scratch);
    assertThat(Files.getLastModifiedTime(program(scratch, HOST))).isEqualTo(first);
  }

  @Test
  void theProgramIsSmallStaticAndAsksForNoInterpreter(@TempDir Path scratch) throws Exception {
    build(scratch);
    assertThat(Files.size(program(scratch, HOST))).isLessThan(20_000);
    assertThat(Files.readString(program(scratch, HOST), ISO_8859_1))
        .doesNotContain("ld-linux", "ld-musl", "GCC:", scratch.toString());
  }

  private static Finished build(Path scratch) throws Exception {
    assumeTrue(isOnPath("cc"), "no C compiler (cc) is installed");
    Finished build = build(BASE.resolve("src/main/c/zett-init.c"), scratch);
    assertThat(build.status()).as(build.text()).isZero();
    return build;
  }

  private static Finished build(Path source, Path out) throws Exception {
    String script = BASE.resolve("build-init.sh").toString();
    return run(out.resolve("build"), List.of("sh", script, source.toString(), out.toString()));
  }

  private static Path program(Path scratch, String architecture) {
    return scratch.resolve("zett-init-" + architecture);
  }

  private static Stream<DynamicTest> checks(
      Path scratch, String architecture, String mode, List<String> launcher) throws Exception {
    Path driver = scratch.resolve("zett-init-test");
    Path source = BASE.resolve("src/test/c/zett-init-test.c");
    Finished compiled =
        run(
            scratch.resolve("compile"),
            List.of("cc", "-O1", "-Wall", "-Wextra", "-o", driver.toString(), source.toString()));
    assertThat(compiled.status()).as(compiled.text()).isZero();
    Path room = Files.createDirectory(scratch.resolve("room"));
    List<String> command = new ArrayList<>();
    command.add(driver.toString());
    command.add(program(scratch, architecture).toString());
    command.add(mode);
    command.add(room.toString());
    command.addAll(launcher);
    Finished finished = run(scratch.resolve("checks"), command);
    List<String> lines = finished.text().lines().toList();
    assertThat(lines).as("checks made").hasSizeGreaterThan(50);
    return lines.stream().map(ZettInitTest::check);
  }

  /** A line is {@code ok NAME}, {@code not ok NAME: WHY} or {@code skip NAME: WHY}. */
  private static DynamicTest check(String line) {
    String name = line.replaceFirst("^(ok|not ok|skip) ", "").replaceFirst(":.*", "");
    return DynamicTest.dynamicTest(
        name.replace('_', ' '),
        () -> {
          if (line.startsWith("skip ")) {
            abort(line.substring("skip ".length() + name.length() + ": ".length()));
          }
          assertThat(line).startsWith("ok ");
        });
  }

  private static Finished run(Path output, List<String> command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(5, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      return new Finished(
          -1, Files.readString(output, UTF_8) + "\nnot ok the driver ends: it does not");
    }
    return new Finished(process.exitValue(), Files.readString(output, UTF_8));
  }

  private static List<String> joined(List<String> words, String... more) {
    return Stream.concat(words.stream(), Stream.of(more)).toList();
  }

  private static boolean isOnPath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  private static String architecture() {
    return System.getProperty("os.arch", "").equals("aarch64") ? "aarch64" : "x86_64";
  }

  /** Surefire tells where the module is; a bare launcher starts in it or in the root. */
  private static Path base() {
    Path given = Path.of(System.getProperty("basedir", "."));
    Path base = Files.exists(given.resolve("build-init.sh")) ? given : given.resolve("core");
    return base.toAbsolutePath().normalize();
  }

  private record Finished(int status, String text) {}
}
