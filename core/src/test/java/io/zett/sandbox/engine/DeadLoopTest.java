package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.faults.InterposedPosix;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** When the one thread that follows commands cannot go on, its sessions tell, and others work. */
class DeadLoopTest {

  @Test
  void aSessionWhoseLoopHasEndedTellsAndTheNextOneWorks() {
    AtomicBoolean deaf = new AtomicBoolean();
    Posix posix =
        InterposedPosix.failing(Posix.system(), "epollWait", call -> deaf.get(), Errno.ENOMEM);
    SandboxPolicy policy = SandboxPolicy.builder().build();
    SandboxCommand command = SandboxCommand.shell("echo ok");
    Supplier<BackendChoice> choice = () -> BackendChoice.make(policy, () -> posix);
    Engine dead = Engine.open(policy, null, choice);
    assertThat(dead.run(command).stdout()).isEqualTo("ok\n");
    deaf.set(true);
    assertThatThrownBy(() -> dead.run(command)).isInstanceOf(SandboxSetupException.class);
    assertThatThrownBy(() -> dead.run(command)).isInstanceOf(SandboxSetupException.class);
    deaf.set(false);
    Engine next = Engine.open(policy, null, choice);
    assertThat(next.run(command).stdout()).isEqualTo("ok\n");
    dead.close();
    assertThat(next.run(command).stdout()).isEqualTo("ok\n");
    next.close();
  }
}
