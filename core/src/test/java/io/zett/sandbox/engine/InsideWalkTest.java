package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.PathExplanation.Presence;
import io.zett.sandbox.backend.EffectiveRules;
import io.zett.sandbox.backend.Sight;
import io.zett.sandbox.backend.Sight.Cause;
import io.zett.sandbox.backend.Sight.Spot;
import io.zett.sandbox.backend.Sight.Surface;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.PathRules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links of the host, where a sandbox shows the host's files and where it does not. */
class InsideWalkTest {
  private static final EffectiveRules NO_RULES =
      new EffectiveRules(PathRules.of(List.of()), List.of(), List.of(), List.of());

  @TempDir Path temporary;
  private Path emptied;
  private Path given;
  private InsideWalk walk;

  @BeforeEach
  void files() throws Exception {
    Path base = temporary.toRealPath();
    emptied = Files.createDirectory(base.resolve("run"));
    Files.writeString(emptied.resolve("file"), "of the host");
    given = Files.createSymbolicLink(emptied.resolve("given"), Path.of("file"));
    Files.createSymbolicLink(emptied.resolve("link"), Path.of("../seen"));
    Files.writeString(base.resolve("seen"), "of the host");
    Files.createSymbolicLink(base.resolve("into"), Path.of("run/file"));
    Files.createSymbolicLink(base.resolve("alias"), Path.of("run/given"));
    Sight sight =
        Sight.ofMounts(
            NO_RULES,
            Map.of(
                UnixPath.of(emptied), new Spot(Surface.EMPTY, Cause.RUNTIME),
                UnixPath.of(given), new Spot(Surface.READ, Cause.SYSTEM)),
            List.of(),
            List.of());
    walk = new InsideWalk(Posix.system(), sight);
  }

  private InsideWalk.Place follow(Path path) {
    return walk.follow(path);
  }

  @Test
  void aLinkThatIsStoodInForIsNotFollowed() {
    for (Path path : List.of(given, emptied.resolveSibling("alias"))) {
      InsideWalk.Place place = follow(path);
      assertThat(place.real()).isEqualTo(UnixPath.of(given));
      assertThat(place.met().surface()).isEqualTo(Surface.READ);
      assertThat(place.presence()).isEqualTo(Presence.PRESENT);
    }
  }

  @Test
  void aLinkIntoAnEmptiedDirectoryLeadsToNothing() {
    InsideWalk.Place place = follow(emptied.resolveSibling("into"));
    assertThat(place.real()).isEqualTo(UnixPath.of(emptied.resolve("file")));
    assertThat(place.met().surface()).isEqualTo(Surface.EMPTY);
    assertThat(place.presence()).isEqualTo(Presence.MISSING);
  }

  @Test
  void aLinkInAnEmptiedDirectoryIsNotThere() {
    InsideWalk.Place place = follow(emptied.resolve("link"));
    assertThat(place.real()).isEqualTo(UnixPath.of(emptied.resolve("link")));
    assertThat(place.presence()).isEqualTo(Presence.MISSING);
    assertThat(follow(emptied).presence()).isEqualTo(Presence.PRESENT);
  }
}
