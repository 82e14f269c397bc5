package io.zett.sandbox.backend.seatbelt.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.backend.seatbelt.language.Attempt.Fact;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The evaluator against small profiles whose meaning is told in public descriptions. */
class SeatbeltProfileTest {

  private static final Attempt READ = Attempt.of("file-read-data");
  private static final Attempt CREATE = Attempt.of("file-write-create");
  private static final Attempt UNLINK = Attempt.of("file-write-unlink");
  private static final Attempt CONNECT = Attempt.of("network-outbound");

  private static SeatbeltProfile profile(String rules) {
    return profile(rules, Precedence.LAST);
  }

  private static SeatbeltProfile profile(String rules, Precedence precedence) {
    return SeatbeltProfile.read(
        "(version 1)" + rules, Map.of("A", "/a", "R", "^/[rR]$"), precedence);
  }

  @Test
  void whatNoRuleMatchesIsRefused() {
    assertThat(profile("").allows(READ.path("/a"))).isFalse();
    assertThat(profile("(deny default)").allows(READ.path("/a"))).isFalse();
    assertThat(profile("(allow default)").allows(READ.path("/a"))).isTrue();
  }

  @Test
  void theLastRuleThatMatchesCounts() {
    SeatbeltProfile denied = profile("(allow file-read*)(deny file-read* (literal \"/a\"))");
    SeatbeltProfile allowed = profile("(deny file-read* (literal \"/a\"))(allow file-read*)");

    assertThat(denied.allows(READ.path("/a"))).isFalse();
    assertThat(denied.allows(READ.path("/b"))).isTrue();
    assertThat(allowed.allows(READ.path("/a"))).isTrue();
  }

  @Test
  void aNarrowerOperationCountsMoreWhereThatIsThePrecedence() {
    String rules = "(deny file-write-unlink)(allow file-write*)";

    assertThat(profile(rules).allows(UNLINK.path("/a"))).isTrue();
    SeatbeltProfile narrow = profile(rules, Precedence.NARROWEST_OPERATION);
    assertThat(narrow.allows(UNLINK.path("/a"))).isFalse();
    assertThat(narrow.allows(CREATE.path("/a"))).isTrue();
  }

  @Test
  void aConditionOfSeveralCountsMoreThanATreeAndADeniedLiteralMost() {
    String compound = "(allow file-write* (require-all (subpath \"/a\") (subpath \"/\")))";
    String tree = compound + "(deny file-write* (subpath \"/a\"))";
    String literal = "(deny file-write* (literal \"/a\"))" + compound;

    assertThat(profile(tree, Precedence.LAST).allows(CREATE.path("/a"))).isFalse();
    assertThat(profile(tree, Precedence.NARROWEST_FILTER).allows(CREATE.path("/a"))).isTrue();
    assertThat(profile(literal, Precedence.LAST).allows(CREATE.path("/a"))).isTrue();
    assertThat(profile(literal, Precedence.NARROWEST_FILTER).allows(CREATE.path("/a"))).isFalse();
  }

  @Test
  void anOperationWithAStarHoldsForAllThatBeginSo() {
    SeatbeltProfile profile = profile("(allow file-write*)(allow network*)");

    assertThat(profile.allows(CREATE.path("/a"))).isTrue();
    assertThat(profile.allows(CONNECT.path("/a"))).isTrue();
    assertThat(profile.allows(READ.path("/a"))).isFalse();
  }

  @Test
  void aTreeEndsAtWholeNamesAndAPrefixDoesNot() {
    SeatbeltProfile tree = profile("(allow file-read* (subpath \"/a\"))");
    SeatbeltProfile prefix = profile("(allow file-read* (prefix \"/a\"))");

    assertThat(tree.allows(READ.path("/a"))).isTrue();
    assertThat(tree.allows(READ.path("/a/b"))).isTrue();
    assertThat(tree.allows(READ.path("/ab"))).isFalse();
    assertThat(prefix.allows(READ.path("/ab"))).isTrue();
    assertThat(profile("(allow file-read* (subpath \"/\"))").allows(READ.path("/ab"))).isTrue();
    assertThat(profile("(allow file-read* (literal \"/a\"))").allows(READ.path("/a/b"))).isFalse();
  }

  @Test
  void aRegularExpressionIsFoundAnywhereUnlessItIsAnchored() {
    SeatbeltProfile loose = profile("(allow file-read* (regex #\"/b\"))");
    SeatbeltProfile anchored = profile("(allow file-read* (regex #\"^/a(/|$)\"))");

    assertThat(loose.allows(READ.path("/a/bc"))).isTrue();
    assertThat(anchored.allows(READ.path("/a/bc"))).isTrue();
    assertThat(anchored.allows(READ.path("/ab"))).isFalse();
    assertThat(anchored.allows(READ.path("/a\n"))).isFalse();
    assertThat(profile("(allow file-read* (regex #\"^/[^.]$\"))").allows(READ.path("/^"))).isTrue();
    assertThat(profile("(allow file-read* (regex #\"\\.c$\"))").allows(READ.path("/a.c"))).isTrue();
    assertThat(profile("(allow file-read* (regex #\"\\.c$\"))").allows(READ.path("/abc")))
        .isFalse();
  }

  @Test
  void conditionsAreJoinedAsTheirNamesSay() {
    String rules =
        "(allow file-read*"
            + " (require-all (subpath \"/a\") (require-not (require-any"
            + " (literal \"/a/x\") (subpath \"/a/y\"))))"
            + " (literal \"/z\"))";

    assertThat(profile(rules).allows(READ.path("/a/b"))).isTrue();
    assertThat(profile(rules).allows(READ.path("/a/x"))).isFalse();
    assertThat(profile(rules).allows(READ.path("/a/y/z"))).isFalse();
    assertThat(profile(rules).allows(READ.path("/z"))).isTrue();
  }

  @Test
  void parametersStandForTexts() {
    SeatbeltProfile profile =
        profile(
            "(allow file-read* (subpath (param \"A\")) (regex (param \"R\"))"
                + " (literal (string-append (param \"A\") \"b\")))");

    assertThat(profile.allows(READ.path("/a/b"))).isTrue();
    assertThat(profile.allows(READ.path("/R"))).isTrue();
    assertThat(profile.allows(READ.path("/ab"))).isTrue();
    assertThat(profile.allows(READ.path("/b"))).isFalse();
  }

  @Test
  void anAddressIsComparedByHostAndPort() {
    SeatbeltProfile loopback = profile("(allow network-outbound (remote ip \"localhost:80\"))");
    SeatbeltProfile any = profile("(allow network-outbound (remote ip \"*:*\"))");
    Attempt mapped = CONNECT.with(Fact.REMOTE, "::ffff:127.0.0.1 80");

    assertThat(loopback.allows(CONNECT.with(Fact.REMOTE, "127.0.0.1 80"))).isTrue();
    assertThat(loopback.allows(CONNECT.with(Fact.REMOTE, "::1 80"))).isTrue();
    assertThat(loopback.allows(CONNECT.with(Fact.REMOTE, "127.0.0.1 81"))).isFalse();
    assertThat(loopback.allows(CONNECT.with(Fact.REMOTE, "192.0.2.1 80"))).isFalse();
    assertThat(loopback.allows(mapped)).isFalse();
    assertThat(any.allows(mapped)).isTrue();
    assertThat(any.allows(CONNECT.path("/run/socket"))).isFalse();
  }

  @Test
  void anAddressOfThisEndIsNoConditionOfConnecting() {
    SeatbeltProfile profile = profile("(allow network-outbound (local ip \"localhost:*\"))");

    assertThat(profile.allows(CONNECT.with(Fact.REMOTE, "192.0.2.1 80"))).isTrue();
    assertThat(profile.allows(CONNECT.path("/run/socket"))).isTrue();
  }

  @Test
  void aUnixSocketIsMatchedByItsPath() {
    SeatbeltProfile profile =
        profile("(allow network-outbound (remote unix-socket (subpath \"/a\")))");

    assertThat(profile.allows(CONNECT.path("/a/s"))).isTrue();
    assertThat(profile.allows(CONNECT.path("/b/s"))).isFalse();
    assertThat(profile.allows(CONNECT.with(Fact.REMOTE, "127.0.0.1 80"))).isFalse();
  }

  @Test
  void namesAndNumbersAreComparedWhole() {
    SeatbeltProfile profile =
        profile(
            "(allow sysctl-read (sysctl-name \"kern.a\" \"kern.b\") (sysctl-name-prefix \"hw.\"))"
                + "(allow system-fcntl)(deny system-fcntl (fcntl-command 80 110))"
                + "(allow signal (target same-sandbox))");

    assertThat(profile.allows(Attempt.of("sysctl-read").with(Fact.NAME, "kern.b"))).isTrue();
    assertThat(profile.allows(Attempt.of("sysctl-read").with(Fact.NAME, "kern.bc"))).isFalse();
    assertThat(profile.allows(Attempt.of("sysctl-read").with(Fact.NAME, "hw.x"))).isTrue();
    assertThat(profile.allows(Attempt.of("system-fcntl").with(Fact.NUMBER, "80"))).isFalse();
    assertThat(profile.allows(Attempt.of("system-fcntl").with(Fact.NUMBER, "8"))).isTrue();
    assertThat(profile.allows(Attempt.of("signal").with(Fact.TARGET, "others"))).isFalse();
  }

  @Test
  void commentsAndEscapesAreRead() {
    SeatbeltProfile profile =
        profile(
            "; (allow file-read*) \"\n"
                + "(allow (with message \"t\") file-read* (literal \"/q\\\"\\\\\\n\"));");

    assertThat(profile.size()).isEqualTo(1);
    assertThat(profile.allows(READ.path("/q\"\\\n"))).isTrue();
    assertThat(profile.allows(READ.path("/a"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(allow file-read*",
        "(allow file-read*))",
        "(allow file-read* (literal \"/a))",
        "allow",
        "()",
        "(allow)",
        "(permit file-read*)",
        "(allow file-raed*)",
        "(allow file-read* (litteral \"/a\"))",
        "(allow file-read* (literal \"a\"))",
        "(allow file-read* (literal \"/a\" \"/b\"))",
        "(allow file-read* (literal (param \"MISSING\")))",
        "(allow file-read* (literal \"\\x\"))",
        "(allow file-read* (require-all))",
        "(allow network* (remote ip \"192.0.2.1:80\"))"
      })
  void whatWouldBeRefusedIsRefused(String rules) {
    assertThatThrownBy(() -> profile(rules)).isInstanceOf(MalformedProfileException.class);
  }

  @Test
  void aProfileBeginsWithItsVersion() {
    assertThatThrownBy(() -> SeatbeltProfile.read("(deny default)", Map.of(), Precedence.LAST))
        .isInstanceOf(MalformedProfileException.class);
  }
}
