package io.zett.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The states of a session. Without isolation, so that no launcher is needed. */
class SandboxSessionLifeTest {

  private static SandboxSession session() {
    return SandboxSession.builder().backend(SandboxBackend.PASSTHROUGH).build();
  }

  @Test
  void beforeOpeningOnlyTheReportIsThere() {
    SandboxSession session = session();
    assertThat(session.isOpen()).isFalse();
    assertThat(session.capabilities().limits()).containsOnlyKeys(Limit.values());
    assertThatExceptionOfType(SandboxClosedException.class)
        .isThrownBy(session::workspace)
        .withMessageContaining("not open yet");
    assertThatExceptionOfType(SandboxClosedException.class).isThrownBy(session::sandbox);
    assertThatExceptionOfType(SandboxClosedException.class).isThrownBy(() -> session.run("true"));
    assertThat(session.toString()).contains("not open yet");
  }

  @Test
  @SuppressWarnings("NullAway") // callers without the checker do it
  void argumentErrorsAreThrownAtOnceAndTheRestArrivesInTheFuture() {
    SandboxSession session = session();
    assertThatIllegalArgumentException().isThrownBy(() -> session.runAsync(List.of()));
    assertThatIllegalArgumentException().isThrownBy(() -> session.runAsync("\0"));
    assertThatNullPointerException().isThrownBy(() -> session.runAsync((SandboxCommand) null));
    CompletableFuture<SandboxResult> future = session.runAsync("true");
    assertThat(future)
        .isCompletedExceptionally()
        .failsWithin(Duration.ofSeconds(1))
        .withThrowableThat()
        .withCauseInstanceOf(SandboxClosedException.class);
  }

  @Test
  void aSessionHasOneLife() {
    SandboxSession session = session();
    assertThat(session.open()).isSameAs(session);
    assertThat(session.isOpen()).isTrue();
    Path workspace = session.workspace();
    assertThat(session.sandbox().workspace()).isEqualTo(workspace);
    assertThatIllegalStateException().isThrownBy(session::open);
    assertThat(session.isOpen()).isTrue();
    session.close();
    session.close();
    assertThat(session.isOpen()).isFalse();
    assertThat(session.capabilities().isolated()).isFalse();
    assertThatIllegalStateException().isThrownBy(session::open).withMessageContaining("was closed");
    assertThatExceptionOfType(SandboxClosedException.class)
        .isThrownBy(session::workspace)
        .withMessage("the session is closed");
    assertThatExceptionOfType(SandboxClosedException.class).isThrownBy(() -> session.run("true"));
    assertThat(workspace).doesNotExist();
  }

  @Test
  void aSessionClosedBeforeOpeningStaysClosed() {
    SandboxSession session = session();
    session.close();
    assertThatIllegalStateException().isThrownBy(session::open);
    assertThat(session.isOpen()).isFalse();
  }

  @Test
  void aFailedOpeningEndsTheSession(@TempDir Path directory) {
    SandboxSession session =
        SandboxSession.builder()
            .backend(SandboxBackend.PASSTHROUGH)
            .workspace(directory.resolve("missing"))
            .build();
    assertThatIllegalArgumentException().isThrownBy(session::open);
    assertThat(session.isOpen()).isFalse();
    assertThatIllegalStateException().isThrownBy(session::open);
    assertThatExceptionOfType(SandboxClosedException.class).isThrownBy(session::sandbox);
    session.close();
  }

  @Test
  void closingTheSandboxEndsTheSessionAndKeepsAGivenWorkspace(@TempDir Path directory) {
    try (SandboxSession session =
        SandboxSession.builder().backend(SandboxBackend.PASSTHROUGH).workspace(directory).open()) {
      session.sandbox().close();
      assertThat(session.isOpen()).isFalse();
      assertThatExceptionOfType(SandboxClosedException.class).isThrownBy(() -> session.run("true"));
    }
    assertThat(directory).isDirectory();
  }

  @Test
  void sessionsOfOneBuilderAreIndependent() {
    SandboxSession.Builder builder = SandboxSession.builder().backend(SandboxBackend.PASSTHROUGH);
    SandboxSession first = builder.open();
    try (SandboxSession second = builder.open()) {
      assertThat(first.workspace()).isNotEqualTo(second.workspace());
      first.close();
      assertThat(second.isOpen()).isTrue();
      assertThat(Files.isDirectory(second.workspace())).isTrue();
    }
  }

  @Test
  void manyThreadsCanCloseAndEachReturnsWhenAllIsGone() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int round = 0; round < 20; round++) {
        SandboxSession session = session().open();
        Path workspace = session.workspace();
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Boolean>> closers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          closers.add(
              threads.submit(
                  () -> {
                    start.await();
                    session.close();
                    return Files.exists(workspace);
                  }));
        }
        start.countDown();
        for (Future<Boolean> closer : closers) {
          assertThat(closer.get()).isFalse();
        }
      }
    }
  }

  @Test
  void closingWhileOpeningLeavesNothingOpen() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (int round = 0; round < 50; round++) {
        SandboxSession session = session();
        CountDownLatch start = new CountDownLatch(1);
        Future<?> opener =
            threads.submit(
                () -> {
                  start.await();
                  try {
                    session.open();
                  } catch (SandboxClosedException | IllegalStateException closedFirst) {
                    assertThat(session.isOpen()).isFalse();
                  }
                  return null;
                });
        Future<?> closer =
            threads.submit(
                () -> {
                  start.await();
                  session.close();
                  return null;
                });
        start.countDown();
        closer.get();
        opener.get();
        assertThat(session.isOpen()).isFalse();
      }
    }
  }

  @Test
  void anInterruptedThreadCanCloseAndStaysInterrupted() {
    SandboxSession session = session().open();
    Path workspace = session.workspace();
    Thread.currentThread().interrupt();
    session.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(workspace).doesNotExist();
  }

  @Test
  @SuppressWarnings("NullAway") // callers without the checker do it
  void aSandboxNeedsAWorkspaceThatCanBeOne() {
    SandboxPolicy policy = SandboxPolicy.builder().backend(SandboxBackend.PASSTHROUGH).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Sandbox.open(policy, Path.of("/")))
        .withMessageStartingWith("workspace: ");
    assertThatIllegalArgumentException().isThrownBy(() -> Sandbox.open(policy, Path.of("~/x")));
    assertThatNullPointerException().isThrownBy(() -> Sandbox.open(policy, null));
  }
}
