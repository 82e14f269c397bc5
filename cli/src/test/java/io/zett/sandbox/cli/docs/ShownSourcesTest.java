package io.zett.sandbox.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A block of these pages below a comment with the path of a file is that file, of Java without its
 * package. The files are sources of tests, which run them. {@code mvn -pl core,cli test
 * -Dtest=ShownSourcesTest -Dzett.test.jvm=-Dzett.docs.write=true} puts them into the pages anew.
 */
class ShownSourcesTest {
  private static final Path ROOT = Path.of(System.getProperty("basedir", "")).resolve("..");
  private static final Pattern SHOWN =
      Pattern.compile("(?ms)^(<!-- (\\S+) -->\n```\\w+\n)(.*?)^```$");

  @TestFactory
  Stream<DynamicTest> whatThePageOfAgentsShowsIsWhatTheTestsRun() throws IOException {
    return shown(ROOT.resolve("docs/agents.md"));
  }

  @TestFactory
  Stream<DynamicTest> whatThePageOfScaleShowsIsWhatTheTestsRun() throws IOException {
    return shown(ROOT.resolve("docs/scale.md"));
  }

  private static Stream<DynamicTest> shown(Path file) throws IOException {
    String page = Files.readString(file);
    if (Boolean.getBoolean("zett.docs.write")) {
      page = SHOWN.matcher(page).replaceAll(ShownSourcesTest::renewed);
      Files.writeString(file, page);
    }
    List<MatchResult> shown = SHOWN.matcher(page).results().toList();
    assertThat(shown).isNotEmpty();
    return shown.stream()
        .map(
            one ->
                dynamicTest(
                    one.group(2), () -> assertThat(one.group(3)).isEqualTo(source(one.group(2)))));
  }

  private static String renewed(MatchResult shown) {
    return java.util.regex.Matcher.quoteReplacement(
        shown.group(1) + source(shown.group(2)) + "```");
  }

  private static String source(String file) {
    try {
      return Files.readString(ROOT.resolve(file)).replaceFirst("(?m)\\Apackage .*;\n+", "");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
