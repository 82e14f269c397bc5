package io.zett.sandbox.cases.ending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxClosedException;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxCommandException;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.cases.outside.Sandboxed;
import io.zett.sandbox.cases.outside.Sleepers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** H09: however a command's future is completed, the command ends; a stage behind it is not it. */
class FutureTest {
  private final Sleepers sleepers = new Sleepers();
  private SandboxSession session;

  @BeforeEach
  void open() {
    session = Sandboxed.session();
  }

  @AfterEach
  void close() {
    session.close();
    sleepers.assertNone();
  }

  static Stream<Named<Consumer<CompletableFuture<SandboxResult>>>> completions() {
    SandboxResult other =
        SandboxResult.builder(SandboxCommand.of("other"), new Outcome.Exited(0)).build();
    return Stream.of(
        Named.of("cancel(true)", future -> future.cancel(true)),
        Named.of("cancel(false)", future -> future.cancel(false)),
        Named.of("complete", future -> future.complete(other)),
        Named.of("completeExceptionally", future -> future.completeExceptionally(new Error())),
        Named.of("completeAsync", future -> future.completeAsync(() -> other)),
        Named.of("orTimeout", future -> future.orTimeout(1, TimeUnit.MILLISECONDS)),
        Named.of(
            "completeOnTimeout",
            future -> future.completeOnTimeout(other, 1, TimeUnit.MILLISECONDS)));
  }

  @ParameterizedTest
  @MethodSource("completions")
  void completingTheFutureFromOutsideEndsTheCommand(
      Consumer<CompletableFuture<SandboxResult>> completion) {
    CompletableFuture<SandboxResult> future =
        session.runAsync("setsid " + sleepers.sleep() + " & " + sleepers.sleep());
    sleepers.awaitCount(2);
    completion.accept(future);
    sleepers.assertNoneSoon();
    assertThat(future).isDone();
    assertThat(session.run("echo again").stdout()).isEqualTo("again\n");
  }

  @ParameterizedTest
  @MethodSource("completions")
  void aCommandWhoseFutureIsCompletedAtOnceLeavesNothing(
      Consumer<CompletableFuture<SandboxResult>> completion) {
    for (int i = 0; i < 5; i++) {
      completion.accept(session.runAsync(sleepers.sleep()));
    }
    assertThat(session.run("echo again").stdout()).isEqualTo("again\n");
    sleepers.assertNoneSoon();
  }

  @Test
  void cancellingADependentStageLeavesTheCommandAlone() throws Exception {
    CompletableFuture<SandboxResult> future = session.runAsync("sleep 0.3; echo whole");
    CompletableFuture<String> dependent = future.thenApply(SandboxResult::stdout);
    assertThat(dependent.cancel(true)).isTrue();
    assertThat(future.copy().cancel(true)).isTrue();
    assertThat(future.get().stdout()).isEqualTo("whole\n");
  }

  @Test
  void theTimeoutOfGetLeavesTheCommandAlone() throws Exception {
    CompletableFuture<SandboxResult> future = session.runAsync("sleep 0.5; echo whole");
    assertThatThrownBy(() -> future.get(1, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    assertThat(future.get().stdout()).isEqualTo("whole\n");
  }

  @Test
  void aCancelledFutureSaysSo() {
    CompletableFuture<SandboxResult> future = session.runAsync(sleepers.sleep());
    assertThat(future.cancel(true)).isTrue();
    assertThat(future.isCancelled()).isTrue();
    assertThatThrownBy(future::join).isInstanceOf(CancellationException.class);
  }

  @Test
  void closingTheSessionCancelsTheFutureAndKeepsThePartialResult() {
    CompletableFuture<SandboxResult> future = session.runAsync("echo partial; " + sleepers.sleep());
    sleepers.awaitFirst();
    session.close();
    sleepers.assertNone();
    Throwable thrown = catchThrowable(future::join);
    assertThat(future.isCancelled()).isTrue();
    assertThat(thrown).isInstanceOf(CancellationException.class);
    SandboxCanceledException canceled = cause(future.handle((_, e) -> e).join());
    assertThat(canceled.reason()).contains("closed");
    assertThat(canceled.result().orElseThrow().stdout()).isEqualTo("partial\n");
  }

  private static SandboxCanceledException cause(Throwable thrown) {
    return (SandboxCanceledException)
        (thrown instanceof CompletionException e ? e.getCause() : thrown);
  }

  @Test
  void anUncheckedFailureIsAResultAndACheckedOneAnException() throws Exception {
    assertThat(session.runAsync("exit 3").get().exitCode()).isEqualTo(3);
    CompletableFuture<SandboxResult> checked =
        session.runAsync(SandboxCommand.shell("echo why >&2; exit 3").checked());
    assertThatThrownBy(checked::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            SandboxCommandException.class, e -> assertThat(e.result().stderr()).isEqualTo("why\n"));
  }

  @Test
  void checkedThrowsAfterATimeLimitAndASignalAndReturnsOnSuccess() {
    SandboxCommand late =
        SandboxCommand.of("sleep", sleepers.argument()).timeout(Duration.ofMillis(100));
    assertThatThrownBy(() -> session.run(late.checked()))
        .isInstanceOfSatisfying(
            SandboxCommandException.class, e -> assertThat(e.result().timedOut()).isTrue());
    assertThatThrownBy(() -> session.run(SandboxCommand.shell("kill -9 $$").checked()))
        .isInstanceOfSatisfying(
            SandboxCommandException.class,
            e -> assertThat(e.result().outcome()).isEqualTo(new Outcome.Signaled(9)));
    assertThat(session.run(SandboxCommand.shell("echo ok").checked()).stdout()).isEqualTo("ok\n");
  }

  @Test
  void whatIsWrongWithTheArgumentsIsThrownAtOnce() {
    assertThatThrownBy(() -> session.runAsync(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> session.runAsync(List.of("printf", "x".repeat(200_000))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> session.runAsync("a\0b")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void everythingElseArrivesInTheFuture() {
    assertThat(session.runAsync(SandboxCommand.of("true").cwd(Path.of("missing"))))
        .failsWithin(60, TimeUnit.SECONDS)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(SandboxSetupException.class);
    session.close();
    assertThat(session.runAsync("true"))
        .failsWithin(60, TimeUnit.SECONDS)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(SandboxClosedException.class);
  }
}
