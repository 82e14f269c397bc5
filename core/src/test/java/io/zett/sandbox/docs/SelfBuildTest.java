package io.zett.sandbox.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The project builds itself in its own sandbox, without a network. */
@Tag("slow")
class SelfBuildTest {
  @TempDir Path temporary;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void mavenCompilesTheLibraryInsideASandboxAndOffline() throws IOException {
    assumeTrue(Checkout.has("mvn"), "Maven is not in PATH");
    Path original = repository();
    assumeTrue(
        Files.isReadable(original) && Files.isExecutable(original),
        "the local repository of Maven cannot be read by this user");
    Path tree = Files.createDirectory(temporary.toRealPath().resolve("tree"));
    for (String part : List.of("pom.xml", ".mvn", "core")) {
      Checkout.copy(Checkout.ROOT.resolve(part), tree.resolve(part));
    }
    for (String module : modules()) {
      Path pom = Path.of(module, "pom.xml"); // Maven wants to see it, whatever is to be built.
      if (!Files.exists(tree.resolve(pom))) {
        Files.createDirectories(tree.resolve(module));
        Files.copy(Checkout.ROOT.resolve(pom), tree.resolve(pom));
      }
    }
    Path repository = Files.createDirectory(tree.resolveSibling("repository"));
    linkEachFile(original, repository);

    try (SandboxSession session =
        SandboxSession.builder()
            .workspace(tree)
            .writable(repository)
            .allowRead(original, Path.of(System.getProperty("java.home")))
            .env("JAVA_HOME", System.getProperty("java.home"))
            .env("MAVEN_OPTS", "-XX:+UseSerialGC --sun-misc-unsafe-memory-access=allow")
            .memory("4GB")
            .timeout(Duration.ofMinutes(9))
            .open()) {
      SandboxResult result =
          session.run(
              SandboxCommand.of(
                      List.of(
                          "mvn",
                          "--offline",
                          "--batch-mode",
                          "--quiet",
                          "--projects=core",
                          "-Dmaven.repo.local=" + repository,
                          "process-classes"))
                  .mergeStderr());
      assertThat(result.succeeded()).as("%s\n%s", result, result.stdout()).isTrue();
    }
    assertThat(tree.resolve("core/target/classes/io/zett/sandbox"))
        .isDirectoryContaining("glob:**/SandboxSession.class")
        .isDirectoryContaining("glob:**/process");
    assertThat(tree.resolve("core/target/classes/io/zett/sandbox/process"))
        .isDirectoryContaining("glob:**/zett-init-*");
  }

  /** The one that this test's own Maven uses: Surefire says which. */
  private static Path repository() throws IOException {
    String told = System.getProperty("localRepository");
    Path repository =
        told == null
            ? Path.of(System.getProperty("user.home"), ".m2", "repository")
            : Path.of(told);
    assumeTrue(Files.isDirectory(repository), "Maven has no local repository");
    return repository.toRealPath();
  }

  /**
   * A repository that can be written, of links to files that cannot: what is built must not be able
   * to change what later builds use.
   */
  private static void linkEachFile(Path original, Path repository) throws IOException {
    try (Stream<Path> files = Files.walk(original)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path copy = repository.resolve(original.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.createSymbolicLink(copy, file);
        }
      }
    }
  }

  private static List<String> modules() throws IOException {
    return Pattern.compile("<module>([^<]+)</module>")
        .matcher(Files.readString(Checkout.ROOT.resolve("pom.xml")))
        .results()
        .map(found -> found.group(1))
        .toList();
  }
}
