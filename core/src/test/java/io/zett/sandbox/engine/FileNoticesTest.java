package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.EventLoop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the kernel has told of files reaches who wants to know. */
@Timeout(30)
class FileNoticesTest {
  private final Posix posix = Posix.system();
  private final EventLoop loop = EventLoop.start(posix);
  private final FileNotices notices = new FileNotices(posix, loop);

  @TempDir Path host;

  @AfterEach
  void close() {
    loop.close();
    notices.close();
  }

  @Test
  void aNoticeThatThereWasNoMemoryForIsToldAsOneThatWasMissed() throws Exception {
    BlockingQueue<Integer> told = new LinkedBlockingQueue<>();
    AtomicBoolean first = new AtomicBoolean(true);
    notices.add(
        UnixPath.of(host.toRealPath()),
        Constants.IN_CREATE,
        (mask, _) -> {
          if (first.getAndSet(false)) {
            throw new OutOfMemoryError("on demand");
          }
          told.add(mask);
        });
    Files.createFile(host.resolve("a"));
    assertThat(told.take()).isEqualTo(Constants.IN_Q_OVERFLOW);
    Files.createFile(host.resolve("b"));
    assertThat(told.take()).isEqualTo(Constants.IN_CREATE);
  }
}
