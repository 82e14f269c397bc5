package io.zett.sandbox.rules;

import static io.zett.sandbox.rules.Access.HIDDEN;
import static io.zett.sandbox.rules.Access.READ;
import static io.zett.sandbox.rules.Access.WRITE;
import static io.zett.sandbox.rules.PathRule.Kind.ALLOW_READ;
import static io.zett.sandbox.rules.PathRule.Kind.CREDENTIAL;
import static io.zett.sandbox.rules.PathRule.Kind.DENY_READ;
import static io.zett.sandbox.rules.PathRule.Kind.DENY_WRITE;
import static io.zett.sandbox.rules.PathRule.Kind.DEVELOPER_FILE;
import static io.zett.sandbox.rules.PathRule.Kind.WRITABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.PathRule.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PathRulesTest {

  private static UnixPath path(String text) {
    return UnixPath.ofText(text);
  }

  private static PathRule rule(Kind kind, String path) {
    return new PathRule(path(path), kind);
  }

  private static PathRules rules(PathRule... rules) {
    return PathRules.of(List.of(rules));
  }

  @Test
  void withoutARuleEverythingCanBeReadAndNothingWritten() {
    PathRules none = rules();
    assertThat(none.access(path("/"))).isEqualTo(READ);
    assertThat(none.access(path("/any/where"))).isEqualTo(READ);
    assertThat(none.deciding(path("/any/where"))).isEmpty();
    assertThat(none.boundaries()).isEmpty();
  }

  @Test
  void theLongestMatchingPathWinsByComponents() {
    PathRules rules =
        rules(
            rule(WRITABLE, "/w"),
            rule(DENY_WRITE, "/w/p"),
            rule(WRITABLE, "/w/p/q"),
            rule(DENY_READ, "/w/p/secret"));
    assertThat(rules.access(path("/w"))).isEqualTo(WRITE);
    assertThat(rules.access(path("/w/other"))).isEqualTo(WRITE);
    assertThat(rules.access(path("/w/p"))).isEqualTo(READ);
    assertThat(rules.access(path("/w/p/x"))).isEqualTo(READ);
    assertThat(rules.access(path("/w/pp"))).isEqualTo(WRITE);
    assertThat(rules.access(path("/w/p/q/deep"))).isEqualTo(WRITE);
    assertThat(rules.access(path("/w/p/secret/deep"))).isEqualTo(HIDDEN);
    assertThat(rules.access(path("/wider"))).isEqualTo(READ);
  }

  @Test
  void onEqualPathsDenyBeatsAllow() {
    assertThat(rules(rule(WRITABLE, "/w"), rule(DENY_WRITE, "/w")).access(path("/w/x")))
        .isEqualTo(READ);
    assertThat(rules(rule(WRITABLE, "/w"), rule(DENY_READ, "/w")).access(path("/w/x")))
        .isEqualTo(HIDDEN);
    assertThat(rules(rule(WRITABLE, "/w"), rule(CREDENTIAL, "/w")).access(path("/w")))
        .isEqualTo(HIDDEN);
    assertThat(rules(rule(ALLOW_READ, "/s"), rule(DENY_READ, "/s")).access(path("/s")))
        .isEqualTo(HIDDEN);
  }

  @Test
  void allowReadTakesACredentialOffTheListButNotADenial() {
    PathRules off = rules(rule(CREDENTIAL, "/h/.npmrc"), rule(ALLOW_READ, "/h/.npmrc"));
    assertThat(off.access(path("/h/.npmrc"))).isEqualTo(READ);
    assertThat(off.rules()).containsExactly(rule(ALLOW_READ, "/h/.npmrc"));
    assertThat(off.boundaries()).isEmpty();
    assertThat(
            rules(
                    rule(CREDENTIAL, "/h/.npmrc"),
                    rule(DENY_READ, "/h/.npmrc"),
                    rule(ALLOW_READ, "/h/.npmrc"))
                .access(path("/h/.npmrc")))
        .isEqualTo(HIDDEN);
    // In a writable home, what is taken off the list is an ordinary file there.
    assertThat(
            rules(
                    rule(WRITABLE, "/h"),
                    rule(CREDENTIAL, "/h/.npmrc"),
                    rule(ALLOW_READ, "/h/.npmrc"))
                .access(path("/h/.npmrc")))
        .isEqualTo(WRITE);
  }

  @Test
  void partOfAHiddenDirectoryCanBeGivenBack() {
    PathRules rules = rules(rule(CREDENTIAL, "/h/.ssh"), rule(ALLOW_READ, "/h/.ssh/known_hosts"));
    assertThat(rules.access(path("/h/.ssh/id"))).isEqualTo(HIDDEN);
    assertThat(rules.access(path("/h/.ssh/known_hosts"))).isEqualTo(READ);
    assertThat(
            rules(rule(WRITABLE, "/h"), rule(DENY_READ, "/h/p"), rule(ALLOW_READ, "/h/p/q"))
                .access(path("/h/p/q")))
        .isEqualTo(READ);
    assertThat(rules(rule(DENY_READ, "/h"), rule(WRITABLE, "/h/w")).access(path("/h/w")))
        .isEqualTo(WRITE);
  }

  @Test
  void aDenialOfWritingDoesNotUncoverWhatIsHidden() {
    PathRules rules = rules(rule(DENY_READ, "/p"), rule(DENY_WRITE, "/p/q"));
    assertThat(rules.access(path("/p/q"))).isEqualTo(HIDDEN);
    assertThat(rules.boundaries()).containsExactly(new Boundary(path("/p"), HIDDEN, DENY_READ));
  }

  @Test
  void theRootDirectoryCanHaveARule() {
    PathRules rules = rules(rule(DENY_READ, "/"), rule(ALLOW_READ, "/usr"));
    assertThat(rules.access(path("/home/x"))).isEqualTo(HIDDEN);
    assertThat(rules.access(path("/usr/bin"))).isEqualTo(READ);
    assertThat(rules.boundaries())
        .containsExactly(
            new Boundary(path("/"), HIDDEN, DENY_READ),
            new Boundary(path("/usr"), READ, ALLOW_READ));
  }

  @Test
  void boundariesAreThePointsOfChangeEnclosingOnesFirst() {
    PathRules rules =
        rules(
            rule(WRITABLE, "/w/p/q"),
            rule(WRITABLE, "/w/cache"),
            rule(DENY_READ, "/w/p/secret"),
            rule(DENY_WRITE, "/w/p"),
            rule(DENY_WRITE, "/etc"),
            rule(ALLOW_READ, "/usr"),
            rule(WRITABLE, "/w"),
            rule(WRITABLE, "/w"),
            rule(CREDENTIAL, "/h/.ssh"),
            rule(DENY_READ, "/h/.ssh/id"));
    assertThat(rules.boundaries())
        .containsExactly(
            new Boundary(path("/h/.ssh"), HIDDEN, CREDENTIAL),
            new Boundary(path("/w"), WRITE, WRITABLE),
            new Boundary(path("/w/p"), READ, DENY_WRITE),
            new Boundary(path("/w/p/q"), WRITE, WRITABLE),
            new Boundary(path("/w/p/secret"), HIDDEN, DENY_READ));
    assertThat(rules.rules()).hasSize(9);
  }

  @Test
  void theDecidingRuleIsNamed() {
    PathRules rules =
        rules(
            rule(WRITABLE, "/w"),
            rule(DENY_WRITE, "/w/p"),
            rule(CREDENTIAL, "/h/.ssh"),
            rule(ALLOW_READ, "/h/.ssh/config"));
    assertThat(rules.deciding(path("/w/x"))).contains(rule(WRITABLE, "/w"));
    assertThat(rules.deciding(path("/w/p/x"))).contains(rule(DENY_WRITE, "/w/p"));
    assertThat(rules.deciding(path("/h/.ssh/id"))).contains(rule(CREDENTIAL, "/h/.ssh"));
    assertThat(rules.deciding(path("/h/.ssh/config"))).contains(rule(ALLOW_READ, "/h/.ssh/config"));
    assertThat(rules.deciding(path("/usr"))).isEmpty();
  }

  @Test
  void orderAndDuplicatesNeverMatterAndBoundariesTellAllThatRulesDo() {
    Random random = new Random(20260101);
    String[] names = {"a", "b", "ab"};
    List<Kind> kinds = List.of(Kind.values());
    for (int round = 0; round < 2_000; round++) {
      List<PathRule> given = new ArrayList<>();
      for (int i = random.nextInt(8); i >= 0; i--) {
        given.add(new PathRule(randomPath(random, names), kinds.get(random.nextInt(kinds.size()))));
      }
      PathRules rules = PathRules.of(given);
      List<PathRule> shuffled = new ArrayList<>(given);
      shuffled.addAll(given);
      Collections.shuffle(shuffled, random);
      PathRules again = PathRules.of(shuffled);
      assertThat(again.boundaries()).isEqualTo(rules.boundaries());
      assertThat(again.rules()).isEqualTo(rules.rules());
      for (int probe = 0; probe < 20; probe++) {
        UnixPath path = randomPath(random, names);
        assertThat(rules.access(path)).as("%s in %s", path, given).isEqualTo(oracle(given, path));
        Access byBoundaries = READ;
        for (Boundary boundary : rules.boundaries()) {
          byBoundaries = path.startsWith(boundary.path()) ? boundary.access() : byBoundaries;
        }
        assertThat(byBoundaries).as("%s in %s", path, given).isEqualTo(rules.access(path));
      }
    }
  }

  private static UnixPath randomPath(Random random, String[] names) {
    StringBuilder path = new StringBuilder("/");
    for (int i = random.nextInt(4); i > 0; i--) {
      path.append(names[random.nextInt(names.length)]).append('/');
    }
    return path(path.toString());
  }

  /** The rule of the contract, written out without any of the code under test. */
  private static Access oracle(List<PathRule> rules, UnixPath path) {
    boolean read = true;
    boolean write = false;
    for (int depth = 0; depth <= path.depth(); depth++) {
      Set<Kind> here = EnumSet.noneOf(Kind.class);
      for (PathRule rule : rules) {
        if (rule.path().depth() == depth && path.startsWith(rule.path())) {
          here.add(rule.kind());
        }
      }
      boolean allowed = here.contains(ALLOW_READ);
      boolean hides = here.contains(DENY_READ) || (here.contains(CREDENTIAL) && !allowed);
      read = !hides && (allowed || here.contains(WRITABLE) || read);
      boolean shuts = here.contains(DENY_WRITE) || here.contains(DEVELOPER_FILE);
      write = !hides && !shuts && (here.contains(WRITABLE) || write);
    }
    return !read ? HIDDEN : write ? WRITE : READ;
  }
}
