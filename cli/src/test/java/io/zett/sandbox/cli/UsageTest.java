package io.zett.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsageTest {
  @Test
  void helpBeginsWithTheExampleOfAWorkspace() {
    for (String[] words : new String[][] {{"--help"}, {"run", "--help"}, {"help", "run"}}) {
      Spoken help = Spoken.by(words);
      assertThat(help.status()).isZero();
      assertThat(help.out()).startsWith("zett run --workspace . -- make");
      assertThat(help.err()).isEmpty();
    }
  }

  @Test
  void helpNamesEveryOption() {
    String help = Spoken.by("run", "-h").out();
    assertThat(help)
        .contains("--workspace DIR", "--memory SIZE", "--env K=V|K", "--timeout SECONDS|none");
    PolicyOption.ALL.forEach(option -> assertThat(help).contains(option.name()));
  }

  @Test
  void helpAboutTheMcpServerNamesEveryOption() {
    String help = Spoken.by("mcp", "-h").out();
    assertThat(help).contains("--workspace DIR", "--env K=V|K", "--timeout SECONDS", "--warm N");
    PolicyOption.ALL.forEach(option -> assertThat(help).contains(option.name()));
    assertThat(help).contains("--no-protect-developer-files").doesNotContain("--json", "|none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "doctor", "batch", "mcp", "policy", "completion", "man", "help"})
  void everyCommandExplainsItself(String name) {
    assertThat(Spoken.by("help", name).out()).contains("Usage: zett " + name);
    assertThat(Spoken.by("help", name)).isEqualTo(Spoken.by(name, "--help"));
  }

  @Test
  void theCommandsOfPolicyExplainThemselves() {
    for (String name : new String[] {"explain", "schema"}) {
      Spoken help = Spoken.by("policy", name, "--help");
      assertThat(help.out()).contains("Usage: zett policy " + name);
      assertThat(Spoken.by("help", "policy", name)).isEqualTo(help);
    }
    assertThat(Spoken.by("policy").status()).isEqualTo(2);
    assertThat(Spoken.by("policy").err()).contains("explain", "schema");
    assertThat(Spoken.by("policy", "explane", "x").err())
        .contains("unknown command: explane", "did you mean explain?");
    assertThat(Spoken.by("help", "policy", "none").status()).isEqualTo(2);
    assertThat(Spoken.by("policy", "explain", "--memory", "1G", "x").err())
        .contains("unknown option: --memory", "zett policy explain --help");
    assertThat(Spoken.by("policy", "explain").err()).startsWith("zett: no path is given");
  }

  @Test
  void theVersionIsThatOfTheBuild() {
    assertThat(Spoken.by("--version").out()).matches("zett \\d+\\.\\d+\\.\\d+\\S*\\R");
  }

  @Test
  void noWordsAtAllAreWrongUsage() {
    Spoken nothing = Spoken.by();
    assertThat(nothing.status()).isEqualTo(2);
    assertThat(nothing.out()).isEmpty();
    assertThat(nothing.err()).contains("Commands:");
  }

  @Test
  void anUnknownOptionIsRefusedWithASuggestion() {
    Spoken refused = Spoken.by("run", "--memry=1G", "true");
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("zett: unknown option: --memry=1G", "--memory?");
  }

  @Test
  void anUnknownCommandIsRefusedWithASuggestion() {
    Spoken refused = Spoken.by("docter");
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("zett: unknown command: docter", "did you mean doctor?");
  }

  @Test
  void anOptionWithoutItsValueSaysWhichOne() {
    Spoken refused = Spoken.by("run", "--memory");
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("--memory needs a value: SIZE");
  }

  @Test
  void aFlagTakesNoValue() {
    assertThat(Spoken.by("run", "--network=yes", "true").status()).isEqualTo(2);
  }

  @Test
  void aRunWithoutAProgramIsWrongUsage() {
    Spoken refused = Spoken.by("run", "--network");
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).startsWith("zett: no program is given");
  }

  @Test
  void aWordAfterAShellStringIsWrongUsage() {
    Spoken refused = Spoken.by("run", "-c", "echo", "a");
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("\"a\"");
  }

  @Test
  void anErrorOfTheLibraryNamesTheOptionAsItWasTyped() {
    assertThat(Spoken.by("run", "--max-file-size", "big", "true").err())
        .startsWith("zett: --max-file-size: \"big\" is no size")
        .doesNotContain("maxFileSize");
  }

  @Test
  void wrongUsageIsAnObjectWhenJsonWasAskedFor() {
    for (String[] words :
        new String[][] {
          {"run", "--json", "--memry", "1G", "--", "true"},
          {"run", "--memory", "lots", "--json", "true"},
          {"run", "--json"}
        }) {
      Spoken refused = Spoken.by(words);
      assertThat(refused.status()).isEqualTo(2);
      assertThat(refused.out()).startsWith("{\"outcome\":\"error\"").contains("\"usage\"");
      assertThat(refused.err()).isEmpty();
    }
  }

  @Test
  void theProgramsOwnJsonOptionIsNotOurs() {
    assertThat(Spoken.by("run", "--memory", "lots", "npm", "--json").out()).isEmpty();
    assertThat(Spoken.by("run", "--memory", "lots", "--", "--json").out()).isEmpty();
    assertThat(Spoken.by("run", "--memory", "--json", "npm").out()).isEmpty();
  }
}
