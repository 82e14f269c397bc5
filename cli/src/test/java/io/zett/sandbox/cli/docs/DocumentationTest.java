package io.zett.sandbox.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every Java block, and every shell block that begins with the command, of the pages that show
 * them. A block of text after it is what it prints.
 */
class DocumentationTest {
  private static final Path ROOT = Path.of(System.getProperty("basedir", "")).resolve("..");

  @TempDir Path temporary;

  @TestFactory
  Stream<DynamicTest> whatTheGuideShowsInJavaHappens() throws Exception {
    return java("docs/guide.md");
  }

  @TestFactory
  Stream<DynamicTest> whatTheGuideShowsOfTheCommandHappens() throws IOException {
    return commands("docs/guide.md");
  }

  @TestFactory
  Stream<DynamicTest> whatTheReadmeShowsInJavaHappens() throws Exception {
    return java("README.md");
  }

  @Test
  void thePolicyThatTheGuideShowsIsTheOneThatIsUsed() throws IOException {
    assertThat(Block.of(ROOT.resolve("docs/guide.md")))
        .filteredOn(block -> block.language().equals("yaml"))
        .extracting(Block::text)
        .containsExactly(Surroundings.POLICY);
  }

  private Stream<DynamicTest> java(String page) throws Exception {
    List<Block> blocks = Block.of(ROOT.resolve(page)).stream().filter(Block::isJava).toList();
    assertThat(blocks).isNotEmpty();
    Path classes = Files.createDirectory(temporary.resolve("classes"));
    Path outputs = Files.createDirectory(temporary.resolve("outputs"));
    Path folder = Files.createDirectory(temporary.resolve("here"));
    Snippets.compile(blocks, classes);
    String said = end(Snippets.process(blocks, classes, folder, outputs));
    return blocks.stream()
        .map(block -> dynamicTest(block.toString(), () -> check(block, outputs, said)));
  }

  private static void check(Block block, Path outputs, String said) throws IOException {
    Snippets.Printed printed = Snippets.printed(block, outputs);
    assertThat(printed.failure()).as(said).isEmpty();
    assertThat(printed.output()).matches(block.expected());
  }

  private Stream<DynamicTest> commands(String page) throws IOException {
    List<Block> blocks = Block.of(ROOT.resolve(page)).stream().filter(Block::isCommand).toList();
    assertThat(blocks).isNotEmpty();
    Path folder = Files.createDirectory(temporary.resolve("here"));
    return blocks.stream()
        .map(
            block ->
                dynamicTest(
                    block.toString(),
                    () -> {
                      Surroundings.renew(folder);
                      String output = end(Terminal.process(block.text(), folder));
                      assertThat(output).matches(block.expected());
                    }));
  }

  /** What it printed, to both streams. */
  private static String end(ProcessBuilder builder) throws Exception {
    Process process = builder.redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      byte[] output = process.getInputStream().readAllBytes();
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
      return new String(output, StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }

  /** A shell that knows the command. */
  private static final class Terminal {
    private static final String COMMAND =
        "zett() { \"$JAVA\" -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
            + " --enable-native-access=ALL-UNNAMED -Duser.home=\"$HOME\" -cp \"$CLASSES\""
            + " io.zett.sandbox.cli.Main \"$@\"; }\n";

    static ProcessBuilder process(String lines, Path folder) {
      List<String> words = new ArrayList<>(List.of("/bin/bash", "-c", COMMAND + lines));
      ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
      builder.environment().clear();
      builder.environment().putAll(Surroundings.environment(folder));
      builder.environment().put("CLASSES", System.getProperty("java.class.path"));
      builder
          .environment()
          .put("JAVA", Path.of(System.getProperty("java.home"), "bin", "java").toString());
      return builder;
    }
  }
}
