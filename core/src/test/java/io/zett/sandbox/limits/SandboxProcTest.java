package io.zett.sandbox.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.faults.InterposedPosix;
import io.zett.sandbox.faults.Ledger;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** This process stands for the first one of a sandbox. */
class SandboxProcTest {
  private static final int SELF = (int) ProcessHandle.current().pid();
  private static final int NOBODY = Integer.MAX_VALUE; // beyond any pid_max

  private final Ledger ledger = new Ledger();
  private @Nullable String refused;
  private int errno;
  private final Posix posix =
      InterposedPosix.over(
          InterposedPosix.over(Posix.system(), ledger),
          call -> call.name().equals(refused) ? call.fail(errno) : call.proceed());
  private final SandboxProc proc = SandboxProc.open(posix, SELF, UnixPath.ofText("/"));

  @AfterEach
  void nothingIsLeftOpen() {
    proc.close();
    assertThat(ledger.descriptors()).isEmpty();
  }

  @Test
  void aProcessHasASizeAndOneThatIsGoneHasNone() {
    assertThat(proc.residentBytes(SELF)).isPositive();
    assertThat(proc.read(SELF + "/stat")).startsWith(SELF + " (");
    assertThat(proc.residentBytes(NOBODY)).isZero();
    assertThat(proc.read(NOBODY + "/stat")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {Errno.EMFILE, Errno.ENFILE, Errno.ENOMEM})
  void aShortageIsNotTakenForAProcessThatIsGone(int shortage) {
    refuse("openat", shortage);
    assertThatThrownBy(() -> proc.residentBytes(SELF)).isInstanceOf(PosixException.class);
    assertThatThrownBy(() -> proc.read(SELF + "/stat")).isInstanceOf(PosixException.class);
    refuse("pread", Errno.ENOMEM);
    assertThatThrownBy(() -> proc.residentBytes(SELF)).isInstanceOf(PosixException.class);
    refuse("read", Errno.ENOMEM);
    assertThatThrownBy(() -> proc.read(SELF + "/stat")).isInstanceOf(PosixException.class);
  }

  @Test
  void whatMayNotBeSeenIsNothing() {
    refuse("openat", Errno.EACCES);
    assertThat(proc.residentBytes(SELF)).isZero();
    assertThat(proc.read(SELF + "/smaps")).isEmpty();
  }

  private void refuse(String call, int withErrno) {
    refused = call;
    errno = withErrno;
  }
}
