package io.zett.sandbox.cases.ending;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Sandboxed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * H04: a parent-death signal comes when the <em>thread</em> that started the child ends (prctl(2)),
 * so no thread of the caller may be that one.
 */
class SpawningThreadTest {
  private static final String SLOW = "sleep 0.5; echo ok";

  @Test
  void aCommandOutlivesTheThreadThatStartedIt() throws Exception {
    try (SandboxSession session = Sandboxed.session()) {
      AtomicReference<CompletableFuture<SandboxResult>> future = new AtomicReference<>();
      Thread thread = new Thread(() -> future.set(session.runAsync(SLOW)));
      thread.start();
      thread.join();
      assertOk(future.get());
    }
  }

  @Test
  void aCommandOutlivesTheVirtualThreadThatStartedIt() throws Exception {
    try (SandboxSession session = Sandboxed.session()) {
      AtomicReference<CompletableFuture<SandboxResult>> future = new AtomicReference<>();
      Thread.ofVirtual().start(() -> future.set(session.runAsync(SLOW))).join();
      assertOk(future.get());
    }
  }

  @Test
  void aCommandOutlivesThePoolWhoseIdleThreadsEnd() throws Exception {
    List<CompletableFuture<SandboxResult>> futures = new ArrayList<>();
    try (SandboxSession session = Sandboxed.session()) {
      ThreadPoolExecutor pool =
          new ThreadPoolExecutor(4, 4, 10, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>());
      pool.allowCoreThreadTimeOut(true);
      for (int i = 0; i < 4; i++) {
        futures.add(pool.submit(() -> session.runAsync(SLOW)).get());
      }
      pool.shutdown();
      assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
      futures.forEach(SpawningThreadTest::assertOk);
    }
  }

  @Test
  void theThreadThatOpenedASessionMayEnd() throws Exception {
    AtomicReference<SandboxSession> session = new AtomicReference<>();
    Thread thread = new Thread(() -> session.set(Sandboxed.session()));
    thread.start();
    thread.join();
    try (SandboxSession opened = session.get()) {
      assertOk(opened.runAsync(SLOW));
    }
  }

  @Test
  void aCommandOutlivesTheClosingOfAnotherSession() {
    try (SandboxSession session = Sandboxed.session()) {
      CompletableFuture<SandboxResult> future;
      try (SandboxSession other = Sandboxed.session()) {
        future = session.runAsync(SLOW);
        assertThat(other.run("echo other").stdout()).isEqualTo("other\n");
      }
      assertOk(future);
    }
  }

  private static void assertOk(CompletableFuture<SandboxResult> future) {
    SandboxResult result = future.join();
    assertThat(result.stdout()).isEqualTo("ok\n");
    assertThat(result.exitCode()).isZero();
  }
}
