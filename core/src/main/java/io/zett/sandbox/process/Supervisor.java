package io.zett.sandbox.process;

import io.zett.sandbox.TerminalSize;
import io.zett.sandbox.posix.Posix;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Follows one command from its launcher's start until everything in its sandbox is dead and all of
 * its output is read. Everything happens on the loop's thread; its public methods may be called
 * from any.
 *
 * <p>The order: start the launcher; zett-init says READY from within the sandbox, and who it is;
 * the sandbox is verified while zett-init waits; the block is sent, and only that lets the command
 * run; the command ends by itself, at its deadline or by {@link #end}; zett-init dies, the last in
 * its sandbox; what is left in the pipes is read. The future is completed exactly once, on the
 * loop's thread, after every descriptor of the command is closed.
 *
 * <p>The launcher then exits, with nothing to tell that is not known. It is waited for where it is
 * the first process itself, or where the command did not end by itself; else it goes alone, and
 * {@link EventLoop#awaitLeaving} waits for it.
 */
public final class Supervisor implements Followed {

  private final EventLoop loop;
  private final CompletableFuture<Ending> ending = new CompletableFuture<>();
  private final Run run;

  private Supervisor(
      EventLoop loop, Posix posix, Order order, @Nullable Job job, Runnable whenWaiting) {
    this.loop = loop;
    run = new Run(loop, posix, order, job, whenWaiting, ending);
  }

  /**
   * Starts a command; the owned descriptors of the order are the supervisor's from here on.
   *
   * @throws RejectedExecutionException if the loop has ended; owned descriptors are closed
   */
  public static Supervisor start(EventLoop loop, Posix posix, Order order, Job job) {
    return start(loop, posix, order, job, () -> {});
  }

  /**
   * Builds a sandbox that waits for what it is to run.
   *
   * @param whenWaiting called on the loop's thread once it stands
   * @throws RejectedExecutionException if the loop has ended; owned descriptors are closed
   */
  public static Supervisor prepare(EventLoop loop, Posix posix, Order order, Runnable whenWaiting) {
    return start(loop, posix, order, null, whenWaiting);
  }

  private static Supervisor start(
      EventLoop loop, Posix posix, Order order, @Nullable Job job, Runnable whenWaiting) {
    Supervisor supervisor = new Supervisor(loop, posix, order, job, whenWaiting);
    if (!loop.offer(supervisor.run::start)) {
      Inherited.closeOwned(order.inherited(), posix);
      throw new RejectedExecutionException("the event loop has ended");
    }
    return supervisor;
  }

  /**
   * Has a sandbox run something that waits for it, or will once it stands, if it is still there.
   * One of the two is called, on the loop's thread or on this one.
   *
   * @param taken the job is the sandbox's from here on
   * @param refused nothing of the job has been touched
   */
  public void give(Job job, Runnable taken, Runnable refused) {
    if (!loop.offer(() -> (run.give(job) ? taken : refused).run())) {
      refused.run();
    }
  }

  /**
   * Completed on the loop's thread, where nothing may block; exceptionally only when this library
   * itself failed.
   */
  public CompletableFuture<Ending> ending() {
    return ending;
  }

  @Override
  public void end(EndReason reason) {
    loop.offer(() -> run.end(reason));
  }

  @Override
  public void resize(TerminalSize size) {
    loop.offer(() -> run.resize(size));
  }

  @Override
  public void signal(int signal, boolean everyProcess) {
    loop.offer(() -> run.signal(signal, everyProcess));
  }
}
