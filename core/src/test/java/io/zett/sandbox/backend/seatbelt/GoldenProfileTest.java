package io.zett.sandbox.backend.seatbelt;

import static io.zett.sandbox.backend.seatbelt.MacView.path;
import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.backend.seatbelt.language.Precedence;
import io.zett.sandbox.backend.seatbelt.language.SeatbeltProfile;
import io.zett.sandbox.rules.PathRule.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Whole profiles, to be read. {@code -Dzett.golden=write} writes them anew into the sources; what
 * changed is then seen as a difference.
 */
class GoldenProfileTest {

  private static final Path FOLDER =
      Path.of(System.getProperty("basedir", ""))
          .resolve("src/test/resources/io/zett/sandbox/backend/seatbelt");

  @Test
  void aPolicyWithoutOptions() throws IOException {
    compare("plain.sb", Profile.of(new MacView().request(), false));
  }

  @Test
  void aPolicyWithRulesOfEachKind() throws IOException {
    MacView view =
        new MacView()
            .directory(Kind.WRITABLE, path("/Users/me/.cache"))
            .directory(Kind.CREDENTIAL, path("/Users/me/.ssh"))
            .linked(
                Kind.DENY_READ, path("/var/secrets"), path("/private/var/secrets"), path("/var"))
            .directory(Kind.ALLOW_READ, path("/private/var/secrets/public/docs"))
            .directory(Kind.DENY_WRITE, path("/Users/me/project/vendor"))
            .directory(Kind.WRITABLE, path("/Users/me/project/vendor/cache"))
            .missing(
                Kind.DENY_READ,
                path("/Users/me/project/conf/local/.env"),
                path("/Users/me/project/conf/local"))
            .file(Kind.DEVELOPER_FILE, path("/Users/me/project/.git/config"));
    compare("rules.sb", Profile.of(view.request(), false));
  }

  @Test
  void aPolicyWithNetworkPrivateHomeAndTerminal() throws IOException {
    MacView view = new MacView(policy -> policy.network(true).home(HomeMode.PRIVATE));
    compare("network.sb", Profile.of(view.request(), true));
  }

  @Test
  void aPolicyWithoutAnySocket() throws IOException {
    MacView view = new MacView(policy -> policy.blockUnixSockets(true));
    compare("blocked.sb", Profile.of(view.request(), false));
  }

  private static void compare(String name, Profile profile) throws IOException {
    assertThat(SeatbeltProfile.read(profile.text(), profile.parameters(), Precedence.LAST).size())
        .isGreaterThan(10);
    StringBuilder shown = new StringBuilder();
    String base = Piece.BASE.text();
    assertThat(profile.text()).startsWith(base);
    shown.append("; base.sb, and then:\n").append(profile.text().substring(base.length()));
    shown.append("\n; Parameters:\n");
    profile
        .parameters()
        .forEach((key, value) -> shown.append("; ").append(key + "=" + value).append('\n'));
    Path golden = FOLDER.resolve(name);
    if ("write".equals(System.getProperty("zett.golden"))) {
      Files.createDirectories(FOLDER);
      Files.writeString(golden, shown);
    }
    assertThat(shown).hasToString(Files.readString(golden));
  }
}
