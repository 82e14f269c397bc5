package io.zett.sandbox.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
  @Test
  void sectionsRunInTheOrderOfTheListAndAllOfThemWhenNoneIsNamed() {
    assertThat(of("many", "cold").sections())
        .extracting(Section::name)
        .containsExactly("cold", "many");
    assertThat(of().sections()).isEqualTo(Sections.ALL);
    assertThat(Sections.names()).doesNotHaveDuplicates();
  }

  @Test
  void whatFollowsTwoDashesIsTheCommandLineOfZett() {
    Settings settings = of("cold", "--quick", "--", "java", "--quick", "-jar", "x").settings();
    assertThat(settings.zett()).containsExactly("java", "--quick", "-jar", "x");
    assertThat(settings.quick()).isTrue();
    assertThat(settings.peers()).isNull();
  }

  @Test
  void aQuickRunTakesFewerFiguresButSome() {
    assertThat(of().settings().count(30)).isEqualTo(30);
    assertThat(of("--quick").settings().count(300)).isEqualTo(60);
    assertThat(of("--quick").settings().count(3)).isEqualTo(3);
  }

  @Test
  void anUnknownSectionIsRefusedWithTheKnownOnes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of("could"))
        .withMessageContainingAll("could", String.join(", ", Sections.names()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Arguments.of("--out", "x"))
        .withMessageContaining("--spawn-loop");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Arguments.of("--out"))
        .withMessage("--out needs a value");
  }

  private static Arguments of(String... further) {
    String[] words = new String[6 + further.length];
    System.arraycopy(
        new String[] {"--spawn-loop", "loop", "--visible", "seen", "--out", "out"}, 0, words, 0, 6);
    System.arraycopy(further, 0, words, 6, further.length);
    Arguments arguments = Arguments.of(words);
    assertThat(arguments.out()).isEqualTo(Path.of("out").toAbsolutePath());
    return arguments;
  }
}
