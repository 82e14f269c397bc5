package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.backend.HostWatch;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.EventLoop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may not come to be in a git directory, where nothing can stand in its place. */
class DeniedFileWatchTest {

  private final Posix posix = Posix.system();
  private final EventLoop loop = EventLoop.start(posix);
  private final FileNotices notices = new FileNotices(posix, loop);
  private final CountDownLatch ended = new CountDownLatch(1);

  @TempDir Path host;
  private Path absent;
  private DeniedFileWatch watch;

  @BeforeEach
  void watch() throws Exception {
    absent = Files.createDirectory(host.toRealPath().resolve("git")).resolve("commondir");
    watch = watchOf(absent);
  }

  private DeniedFileWatch watchOf(Path path) {
    HostWatch watched = new HostWatch(List.of(), Map.of(), List.of(UnixPath.of(path)));
    return new DeniedFileWatch(posix, () -> notices, watched, ended::countDown);
  }

  @AfterEach
  void close() {
    loop.close();
    notices.close();
  }

  @Test
  void whatComesToBeEndsTheCommandAndIsTakenAway() throws Exception {
    watch.begin();
    Files.writeString(absent, "../evil");

    assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(watch.violated()).isEqualTo(UnixPath.of(absent));
    watch.stop();
    assertThat(absent).doesNotExist();
  }

  /** Else a command that is quick enough would have seen something, and nobody would be told. */
  @Test
  void whatHasHappenedIsKnownEvenWhileTheEventLoopIsBusy() throws Exception {
    watch.begin();
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    loop.execute(
        () -> {
          busy.countDown();
          Uninterruptibly.await(free);
        });
    assertThat(busy.await(30, TimeUnit.SECONDS)).isTrue();
    try {
      assertThat(watch.violated()).isNull();
      Files.writeString(absent, "../evil");
      assertThat(watch.violated()).isEqualTo(UnixPath.of(absent));
    } finally {
      free.countDown();
    }
    watch.stop();
  }

  @Test
  void whatCameToBeBeforeTheWatchRefusesTheStartAndIsTakenAway() throws Exception {
    Files.writeString(absent, "../evil");

    assertThatThrownBy(watch::begin)
        .isInstanceOf(SandboxSetupException.class)
        .hasMessageContaining(absent.toString())
        .hasMessageContaining("came to be");
    watch.stop();
    assertThat(absent).doesNotExist();
  }

  /** A command that puts another directory of the host's there must not have us remove in it. */
  @ParameterizedTest
  @ValueSource(strings = {"", "work"})
  void nothingIsTakenAwayThroughALinkThatAnAncestorWasReplacedBy(String replaced) throws Exception {
    Path work = Files.createDirectories(host.toRealPath().resolve("top/work"));
    Path place = Files.createDirectory(work.resolve("git")).resolve("commondir");
    Path other = Files.createDirectories(host.toRealPath().resolve("other/work/git"));
    Path foreign = Files.writeString(other.resolve("commondir"), "of the host");
    DeniedFileWatch watching = watchOf(place);
    watching.begin();

    Path top = host.toRealPath().resolve("top").resolve(replaced);
    Files.move(top, host.resolve("away"));
    Files.createSymbolicLink(top, host.toRealPath().resolve("other").resolve(replaced));

    assertThat(place).hasContent("of the host");
    watching.stop();
    assertThat(foreign).hasContent("of the host");
  }

  @Test
  void nothingIsTakenAwayInAnotherDirectoryOfTheSameName() throws Exception {
    Files.writeString(Files.createDirectory(host.resolve("other")).resolve("commondir"), "of it");
    watch.begin();
    Files.move(absent.getParent(), host.resolve("away"));
    Files.move(host.resolve("other"), absent.getParent());

    watch.stop();
    assertThat(absent).hasContent("of it");
  }
}
