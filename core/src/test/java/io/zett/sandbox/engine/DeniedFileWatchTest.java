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
    HostWatch watched = new HostWatch(List.of(), Map.of(), List.of(UnixPath.of(absent)));
    watch = new DeniedFileWatch(posix, () -> notices, watched, ended::countDown);
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
}
