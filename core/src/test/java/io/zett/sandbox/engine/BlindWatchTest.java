package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.cases.outside.Eventually;
import io.zett.sandbox.faults.InterposedPosix;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A denied file that cannot be looked at for a shortage is not said to have been replaced. */
class BlindWatchTest {
  @TempDir Path host;

  @Test
  void aLookThatIsRefusedEndsTheCommandAndIsTold() throws Exception {
    Path secret = Files.writeString(host.resolve("secret"), "secret");
    AtomicBoolean refusing = new AtomicBoolean();
    Posix posix =
        InterposedPosix.failing(
            Posix.system(), "lstat", _ -> refusing.getAndSet(false), Errno.ENOMEM);
    SandboxPolicy policy = SandboxPolicy.builder().denyRead(secret).build();
    Engine engine = Engine.open(policy, host, () -> BackendChoice.make(policy, () -> posix));
    Path started = host.resolve("started");
    CompletableFuture<SandboxResult> running =
        engine.runAsync(SandboxCommand.shell("touch started; sleep 600"));
    Eventually.within(Duration.ofSeconds(20), "it runs", () -> Files.exists(started));
    refusing.set(true);
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(running::join)
        .cause()
        .isInstanceOf(SandboxSetupException.class)
        .hasMessageContainingAll("watching denied paths", "secret", "(ENOMEM)", "was ended");
    assertThat(engine.run(SandboxCommand.shell("echo ok")).stdout()).isEqualTo("ok\n");
    engine.close();
  }
}
