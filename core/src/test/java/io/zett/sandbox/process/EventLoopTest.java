package io.zett.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.cases.outside.Eventually;
import io.zett.sandbox.cases.outside.Warnings;
import io.zett.sandbox.faults.InterposedPosix;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class EventLoopTest {

  private final Posix posix = Posix.system();
  private final List<String> before = Commands.descriptors();
  private final EventLoop loop = EventLoop.start(posix);

  @AfterEach
  void nothingIsLeft() {
    loop.close();
    assertThat(Commands.descriptors()).hasSameSizeAs(before);
  }

  @Test
  void tasksRunInOrderOnTheLoop() throws Exception {
    BlockingQueue<Integer> ran = new LinkedBlockingQueue<>();
    for (int i = 0; i < 100; i++) {
      int number = i;
      loop.execute(() -> ran.add(loop.onLoop() ? number : -1));
    }
    for (int i = 0; i < 100; i++) {
      assertThat(ran.take()).isEqualTo(i);
    }
    assertThat(loop.onLoop()).isFalse();
  }

  @Test
  void aTaskMayAddATask() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    loop.execute(() -> loop.execute(() -> loop.execute(done::countDown)));
    assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void timersFireInTheOrderOfTheirTimes() throws Exception {
    BlockingQueue<String> fired = new LinkedBlockingQueue<>();
    loop.schedule(Duration.ofMillis(60), () -> fired.add("late"));
    loop.schedule(Duration.ofMillis(20), () -> fired.add("early"));
    loop.schedule(Duration.ofSeconds(-5), () -> fired.add("at once"));
    loop.schedule(Duration.ofSeconds(Long.MAX_VALUE), () -> fired.add("never"));
    assertThat(List.of(fired.take(), fired.take(), fired.take()))
        .containsExactly("at once", "early", "late");
    assertThat(fired).isEmpty();
  }

  @Test
  void aCancelledTimerDoesNotFire() throws Exception {
    BlockingQueue<String> fired = new LinkedBlockingQueue<>();
    Timer timer = loop.schedule(Duration.ofMillis(30), () -> fired.add("cancelled"));
    timer.cancel();
    timer.cancel();
    loop.schedule(Duration.ofMillis(80), () -> fired.add("other"));
    assertThat(fired.take()).isEqualTo("other");
  }

  @Test
  void whatThrowsHarmsNothingElseAndIsLogged() throws Exception {
    CompletableFuture<Integer> reported = new CompletableFuture<>();
    Warnings warnings = new Warnings();
    int event = posix.eventfd();
    loop.execute(
        () -> {
          loop.watch(
              event,
              Constants.EPOLLIN,
              events -> {
                throw new IllegalStateException("handler");
              });
          throw new IllegalStateException("task");
        });
    loop.schedule(
        Duration.ZERO,
        () -> {
          throw new IllegalStateException("timer");
        });
    posix.write(event, ByteBuffer.allocate(8).put(0, (byte) 1));
    loop.schedule(Duration.ofMillis(50), () -> reported.complete(1));
    try (warnings) {
      assertThat(reported.get(10, TimeUnit.SECONDS)).isEqualTo(1);
    }
    assertThat(warnings.texts()).hasSize(3).containsOnly("something failed on the event loop");
    posix.close(event);
  }

  @Test
  void aLoopThatCannotGoOnEndsAndIsLogged() {
    Posix broken = InterposedPosix.failing(posix, "epollWait", Errno.EIO);
    try (Warnings warnings = new Warnings()) {
      EventLoop ending = EventLoop.start(broken);
      Eventually.within(Duration.ofSeconds(20), "it ends", ending::hasEnded);
      ending.close();
      assertThat(warnings.texts()).containsExactly("something failed on the event loop");
    }
  }

  @Test
  void whatThereIsNoMemoryForIsRunAgainInItsOrder() throws Exception {
    BlockingQueue<String> ran = new LinkedBlockingQueue<>();
    int event = posix.eventfd();
    posix.write(event, ByteBuffer.allocate(8).put(0, (byte) 1));
    loop.execute(secondTime(() -> ran.add("task")));
    loop.execute(() -> ran.add("next task"));
    assertThat(List.of(ran.take(), ran.take())).containsExactly("task", "next task");
    loop.schedule(Duration.ZERO, secondTime(() -> ran.add("timer")));
    assertThat(ran.take()).isEqualTo("timer");
    Runnable read =
        secondTime(
            () -> {
              posix.read(event, ByteBuffer.allocate(8));
              ran.add("handler");
            });
    loop.execute(() -> loop.watch(event, Constants.EPOLLIN, _ -> read.run()));
    assertThat(ran.take()).isEqualTo("handler");
    loop.close();
    assertThat(ran).isEmpty();
    posix.close(event);
  }

  /** Finds no memory at first. */
  private static Runnable secondTime(Runnable action) {
    AtomicBoolean first = new AtomicBoolean(true);
    return () -> {
      if (first.getAndSet(false)) {
        throw new OutOfMemoryError("on demand");
      }
      action.run();
    };
  }

  @Test
  void nothingIsTakenAfterTheEnd() {
    loop.close();
    loop.close();
    assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void closingFromWithinAndUnderInterruptionWorks() {
    loop.execute(loop::close);
    Thread.currentThread().interrupt();
    loop.close();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void manyThreadsMayPostWhileItCloses() throws Exception {
    CountDownLatch begun = new CountDownLatch(4);
    List<Thread> posting =
        java.util.stream.IntStream.range(0, 4)
            .mapToObj(
                i ->
                    Thread.ofVirtual()
                        .start(
                            () -> {
                              begun.countDown();
                              while (loop.offer(() -> {})) {
                                Thread.onSpinWait();
                              }
                            }))
            .toList();
    assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
    loop.close();
    for (Thread thread : posting) {
      thread.join();
    }
  }
}
