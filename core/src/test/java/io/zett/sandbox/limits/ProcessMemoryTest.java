package io.zett.sandbox.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which pages of a process count, in texts of a real machine (proc_pid_smaps(5)). */
class ProcessMemoryTest {
  private static final long KIB = 1024;

  private static final String STATUS =
      """
      Name:\tpython3
      VmPeak:\t 9000000 kB
      VmRSS:\t   84836 kB
      RssAnon:\t   76980 kB
      RssFile:\t    7000 kB
      RssShmem:\t     856 kB
      VmSwap:\t      20 kB
      Threads:\t1
      """;

  @Test
  void filesDoNotCountAndSwapDoes() {
    assertThat(ProcessMemory.upperBound(STATUS)).isEqualTo((76_980 + 856 + 20) * KIB);
  }

  @Test
  void aKernelThreadHasNoMemory() {
    assertThat(ProcessMemory.upperBound("Name:\tkthreadd\nThreads:\t1\n")).isZero();
    assertThat(ProcessMemory.upperBound("")).isZero();
  }

  @Test
  void aProcessThatDoesNotLetItselfBeLookedAtIsUnknown() {
    assertThat(ProcessMemory.proportional("")).isEqualTo(-1);
  }

  @Test
  void pagesOfOneTenthOfTenProcessesCountOneTenth() {
    String heap =
        mapping("55d0c0a00000-55d0c4c00000 rw-p 00000000 00:00 0 [heap]", 4_000, 40_000, 0);
    assertThat(ProcessMemory.proportional(heap)).isEqualTo(4_000 * KIB);
  }

  @Test
  void aFileCountsOnlyWhereItWasWrittenToPrivately() {
    String file =
        mapping(
            "7f00a0000000-7f00a0200000 rw-p 00000000 08:01 1234 /usr/lib/libc.so.6", 900, 16, 0);
    assertThat(ProcessMemory.proportional(file)).isEqualTo(16 * KIB);
  }

  @Test
  void sharedMemoryCountsByItsShareWhateverItIsCalled() {
    for (String name :
        new String[] {"/dev/zero (deleted)", "/memfd:held (deleted)", "/SYSV00000000 (deleted)"}) {
      String shared =
          mapping("7f00a0000000-7f00ac800000 rw-s 00000000 00:01 1044 " + name, 102_400, 0, 0);
      assertThat(ProcessMemory.proportional(shared)).as(name).isEqualTo(102_400 * KIB);
    }
  }

  @Test
  void scratchFilesAreCountedByTheirFileSystemAndNotAgain() {
    String mapped =
        mapping("7f00a0000000-7f00ac800000 rw-s 00000000 00:61 7 /dev/shm/big", 102_400, 0, 0);
    assertThat(ProcessMemory.proportional(mapped)).isZero();
  }

  @Test
  void swapCountsByItsShare() {
    String heap = mapping("55d0c0a00000-55d0c4c00000 rw-p 00000000 00:00 0 ", 100, 100, 50);
    assertThat(ProcessMemory.proportional(heap)).isEqualTo(150 * KIB);
    assertThat(ProcessMemory.proportional(heap + heap)).isEqualTo(300 * KIB);
  }

  private static String mapping(String header, long pss, long anonymous, long swap) {
    return """
    %s
    Size:             204800 kB
    KernelPageSize:        4 kB
    Rss:              102400 kB
    Pss:              %6d kB
    Pss_Dirty:          %6d kB
    Shared_Clean:          0 kB
    Anonymous:        %6d kB
    AnonHugePages:         0 kB
    ShmemPmdMapped:        0 kB
    Swap:                  0 kB
    SwapPss:          %6d kB
    Locked:                0 kB
    THPeligible:    0
    VmFlags: rd wr sh mr mw me ms sd
    """
        .formatted(header, pss, pss, anonymous, swap);
  }
}
