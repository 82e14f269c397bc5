package io.zett.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.Commands.Launch;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A command that is ended does not take what it has read by then for all of its input. */
class EndedInputTest {
  /** What ends a command: a signal to zett-init where a namespace does the rest, else an order. */
  private static final Map<Launch, String> BLOWS =
      Map.of(Launch.BUBBLEWRAP, "pidfdSendSignal", Launch.PASSTHROUGH, "send");

  private final Queue<Long> pipesAtBlows = new ConcurrentLinkedQueue<>();

  @ParameterizedTest
  @EnumSource
  void theInputIsStillOpenWhenTheCommandIsEnded(Launch launch) throws InterruptedException {
    try (Commands commands = new Commands(looking(BLOWS.get(launch)))) {
      CountDownLatch written = new CountDownLatch(1);
      Supervisor supervisor =
          commands
              .shell(launch, "echo up; cat; echo all >&2")
              .input(new Input.Stream(new SilentStream()))
              .out(new Relay(new NotifyingStream(written)))
              .start();
      written.await();
      long open = pipes();
      pipesAtBlows.clear();
      supervisor.end(EndReason.CANCELED);
      assertThat(Commands.await(supervisor).how()).isEqualTo(new Ending.Ended(EndReason.CANCELED));
      assertThat(pipesAtBlows).isNotEmpty();
      assertThat(pipesAtBlows.peek()).isEqualTo(open);
      commands.assertNothingRuns();
    }
  }

  /** Address 0 of our own memory cannot be read, and nothing tells so before. */
  @Test
  void anInputThatCannotBeReadIsStillOpenWhenTheCommandIsEnded() {
    try (Commands commands = new Commands(looking(BLOWS.get(Launch.BUBBLEWRAP)))) {
      Supervisor supervisor =
          commands
              .shell(Launch.BUBBLEWRAP, "cat; sleep 60")
              .input(new Input.File(UnixPath.ofText("/proc/self/mem")))
              .start();
      assertThat(Commands.await(supervisor).how()).isInstanceOf(Ending.InputFailed.class);
      commands.assertNothingRuns();
    }
  }

  /** The real system; looks at our pipes before each call of this name. */
  private Posix looking(String call) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().equals(call)) {
            pipesAtBlows.add(pipes());
          }
          try {
            return method.invoke(Posix.system(), arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
          }
        };
    return (Posix)
        Proxy.newProxyInstance(
            EndedInputTest.class.getClassLoader(), new Class<?>[] {Posix.class}, handler);
  }

  private static long pipes() {
    return Commands.descriptors().stream().filter(open -> open.contains(" pipe:")).count();
  }
}
