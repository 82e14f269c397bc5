package io.zett.sandbox.cases.shortage;

import io.zett.sandbox.SandboxException;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.SandboxUnavailableException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * What is tried in a JVM that is short of something: each either works, or tells in the library's
 * own exception what was done, what was short and what mends it. Anything else, a hang too, is an
 * error.
 */
final class Attempts implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final ExecutorService worker = Executors.newSingleThreadExecutor();
  private final Predicate<String> explains;
  private final Set<String> messages = new TreeSet<>();
  private int told;
  private int worked;

  /** With what a message must hold. */
  Attempts(Predicate<String> explains) throws Exception {
    this.explains = explains;
    worker.submit(() -> {}).get(); // its thread is there before threads are short
  }

  /** A command must run in a session. */
  void run(SandboxSession session) {
    attempt(
        () -> {
          expectOk(session.run("echo ok"));
          return "";
        });
  }

  /** A session must open, and run a command. */
  void open(SandboxSession.Builder builder) {
    attempt(
        () -> {
          try (SandboxSession session = builder.open()) {
            expectOk(session.run("echo ok"));
          }
          return "";
        });
  }

  static void expectOk(SandboxResult result) {
    if (!result.succeeded() || !result.stdout().equals("ok\n")) {
      throw new AssertionError("taken for the command's own end: " + result);
    }
  }

  /** Something must work or tell. */
  void attempt(Callable<?> action) {
    Future<?> done = worker.submit(action);
    try {
      done.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      worked++;
    } catch (ExecutionException e) {
      judge(e.getCause() instanceof ExecutionException inner ? inner.getCause() : e.getCause());
    } catch (TimeoutException e) {
      Thread.getAllStackTraces()
          .forEach((thread, frames) -> System.err.println(thread + " " + List.of(frames)));
      Runtime.getRuntime().halt(3); // it may hang in close(), too
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void judge(Throwable failure) {
    String step =
        switch (failure) {
          case SandboxSetupException e -> e.step();
          case SandboxUnavailableException e -> e.fix();
          default -> "";
        };
    String message = String.valueOf(failure.getMessage());
    if (!(failure instanceof SandboxException) || step.isBlank() || !explains.test(message)) {
      throw new AssertionError("not told but " + failure, failure);
    }
    messages.add(message);
    told++;
  }

  int told() {
    return told;
  }

  int worked() {
    return worked;
  }

  /** The counts, and each message once, for who reads why a test failed. */
  @Override
  public String toString() {
    return told + " told, " + worked + " worked: " + messages;
  }

  @Override
  public void close() {
    worker.shutdownNow();
  }
}
