package io.zett.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BytesFeedTest {

  @Test
  void aReaderThatIsNeverSlowLeavesOthersTheirTurn() throws Exception {
    Posix posix = Posix.system();
    byte[] bytes = new byte[10 * Feed.TURN + 1];
    CompletableFuture<List<Feed.Step>> steps = new CompletableFuture<>();
    try (EventLoop loop = EventLoop.start(posix);
        DescriptorSet owned = new DescriptorSet(posix)) {
      // Takes all that is written, at once.
      int taker = owned.add(posix.open(UnixPath.ofText("/dev/null"), Constants.O_WRONLY, 0));
      Feed feed = new BytesFeed(loop, posix, owned, taker, Runnable::run, bytes);
      loop.execute(
          () -> {
            List<Feed.Step> all = new ArrayList<>();
            do {
              all.add(feed.step());
            } while (all.getLast() == Feed.Step.FULL);
            steps.complete(all);
          });
      assertThat(steps.get(30, TimeUnit.SECONDS))
          .hasSizeBetween(10, 12)
          .endsWith(Feed.Step.FINISHED);
    }
  }
}
