package io.zett.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class InitProgramTest {

  @Test
  void theProgramCannotBeChanged() {
    Posix posix = Posix.system();
    List<String> before = Commands.descriptors();
    try (InitProgram program = InitProgram.load(posix)) {
      assertThat(posix.write(program.descriptor(), ByteBuffer.wrap(new byte[1])))
          .isEqualTo(-Errno.EBADF);
      assertThat(posix.fstat(program.descriptor()).permissions()).isEqualTo(0555);
    }
    assertThat(Commands.descriptors()).hasSameSizeAs(before);
  }

  @Test
  void aKernelThatRefusesProgramsInMemoryIsToldWithTheRemedy() {
    Posix refusing =
        (Posix)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Posix.class},
                (proxy, method, arguments) -> {
                  throw new PosixException(Errno.EACCES, "memfd_create", "zett-init");
                });
    assertThatThrownBy(() -> InitProgram.load(refusing))
        .isInstanceOf(SetupFailure.class)
        .hasMessageContaining("vm.memfd_noexec");
  }
}
