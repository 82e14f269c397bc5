package io.zett.sandbox.cases.surroundings;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Kernels without the newer system calls. From 424 on (Linux 5.1) calls have the same number on
 * every architecture, in the order of their coming: a filter refuses all from one of them on, as an
 * old kernel does, or a container's profile that is older than the kernel.
 */
class OldKernelsTest {
  private static final int ENOSYS = 38;

  private static final int LOAD = 0x20; // BPF_LD | BPF_W | BPF_ABS
  private static final int JUMP_IF_AT_LEAST = 0x35; // BPF_JMP | BPF_JGE | BPF_K
  private static final int RETURN = 0x06; // BPF_RET | BPF_K
  private static final int ALLOW = 0x7FFF0000;
  private static final int ERRNO = 0x00050000;

  @TempDir Path temporary;

  private static byte[] filter(int first) {
    ByteBuffer program = ByteBuffer.allocate(4 * 8).order(ByteOrder.nativeOrder());
    program.putShort((short) LOAD).put((byte) 0).put((byte) 0).putInt(0);
    program.putShort((short) JUMP_IF_AT_LEAST).put((byte) 0).put((byte) 1).putInt(first);
    program.putShort((short) RETURN).put((byte) 0).put((byte) 0).putInt(ERRNO | ENOSYS);
    program.putShort((short) RETURN).put((byte) 0).put((byte) 0).putInt(ALLOW);
    return program.array();
  }

  private Surroundings.Visit visit(int first) throws IOException {
    Path base = temporary.toRealPath();
    Files.write(base.resolve("filter"), filter(first));
    return new Surroundings(base)
        .visit("exec 9<$B/filter; exec bwrap --dev-bind / / --seccomp 9 -- \"$@\"", "echo ran");
  }

  @ParameterizedTest
  @CsvSource({"450", "444", "441", "439", "437", "436", "435"})
  void withoutWhatCameSinceLinux53SandboxesWork(int first) throws IOException {
    visit(first).assertPrinted("ran");
  }

  @ParameterizedTest
  @CsvSource({"434", "424"})
  void anOlderOneIsToldWhatIsNeeded(int first) throws IOException {
    visit(first).assertRefused("kernel is too old", "Linux 5.3 or newer");
  }
}
