package io.zett.sandbox.backend.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.posix.Architecture;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The decisions of the compiled program, by an interpreter, for both architectures. */
class SeccompProgramTest {

  private static final int ALLOW = 0x7FFF0000;
  private static final int KILL = 0x80000000;
  private static final int EPERM = 0x50001;
  private static final int ENOSYS = 0x50026;
  private static final int EAFNOSUPPORT = 0x50061;
  private static final int EPROTONOSUPPORT = 0x5005D;
  private static final long HIGH = 1L << 32;

  private static int decide(
      Architecture architecture, SeccompOptions options, SystemCall call, long... arguments) {
    return new BpfMachine(SeccompProgram.of(architecture, options))
        .run(
            SeccompProgram.auditArchitecture(architecture),
            call.number(architecture),
            Arrays.copyOf(arguments, 6));
  }

  private static int decide(Architecture architecture, SystemCall call, long... arguments) {
    return decide(architecture, SeccompOptions.DEFAULT, call, arguments);
  }

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void everyUnconditionalRowIsRefusedWithItsError(Architecture architecture) {
    for (SeccompRule rule : SeccompTable.rules(SeccompOptions.DEFAULT)) {
      for (SystemCall call : rule.calls()) {
        if (rule.tests().isEmpty() && call.number(architecture) != SystemCall.NONE) {
          assertThat(decide(architecture, call))
              .as("%s", call)
              .isEqualTo(0x50000 | rule.refusal().errno());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void callsThatAreNotInTheTableAreAllowed(Architecture architecture) {
    Set<Integer> listed = new HashSet<>();
    for (SystemCall call : SystemCall.values()) {
      listed.add(call.number(architecture));
    }
    BpfMachine machine = new BpfMachine(SeccompProgram.of(architecture, SeccompOptions.DEFAULT));
    int most = 0;
    for (int number = 0; number < 600; number++) {
      if (!listed.contains(number)) {
        int decision =
            machine.run(SeccompProgram.auditArchitecture(architecture), number, 0, 0, 0, 0, 0, 0);
        assertThat(decision).as("call %d", number).isEqualTo(ALLOW);
        most = Math.max(most, machine.steps);
      }
    }
    assertThat(most).as("instructions for an unlisted call").isLessThan(20);
  }

  @Test
  void aForeignArchitectureIsKilledAndX32IsUnknown() {
    BpfMachine x86 = new BpfMachine(SeccompProgram.of(Architecture.X86_64, SeccompOptions.DEFAULT));
    BpfMachine arm =
        new BpfMachine(SeccompProgram.of(Architecture.AARCH64, SeccompOptions.DEFAULT));
    int i386 = 0x40000003;
    int arm32 = 0x40000028;
    assertThat(x86.run(i386, 20, 0, 0, 0, 0, 0, 0)).isEqualTo(KILL);
    assertThat(arm.run(arm32, 20, 0, 0, 0, 0, 0, 0)).isEqualTo(KILL);
    assertThat(x86.run(0xC000003E, 0x40000000 | 250, 0, 0, 0, 0, 0, 0)).isEqualTo(ENOSYS);
    assertThat(x86.run(0xC000003E, 0x40000000 | 39, 0, 0, 0, 0, 0, 0)).isEqualTo(ENOSYS);
    assertThat(x86.run(0xC000003E, -1, 0, 0, 0, 0, 0, 0)).isEqualTo(ENOSYS);
  }

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void keystrokesAreRefusedWhateverTheHighBitsAre(Architecture architecture) {
    for (long high : new long[] {0, HIGH, 0xFFFFFFFFL << 32}) {
      assertThat(decide(architecture, SystemCall.IOCTL, 0, high | 0x5412)).isEqualTo(EPERM);
      assertThat(decide(architecture, SystemCall.IOCTL, 0, high | 0x541C)).isEqualTo(EPERM);
      assertThat(decide(architecture, SystemCall.IOCTL, 0, high | 0x5413)).isEqualTo(ALLOW);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void onlyOrdinarySocketsCanBeMade(Architecture architecture) {
    for (long family = 0; family < 64; family++) {
      boolean ordinary = family == 1 || family == 2 || family == 10 || family == 16;
      assertThat(decide(architecture, SystemCall.SOCKET, family, 1, 0))
          .as("family %d", family)
          .isEqualTo(ordinary ? ALLOW : EAFNOSUPPORT);
      assertThat(decide(architecture, SystemCall.SOCKET, HIGH | family, 1, 0))
          .isEqualTo(ordinary ? ALLOW : EAFNOSUPPORT);
    }
    for (long protocol = 1; protocol < 32; protocol++) {
      assertThat(decide(architecture, SystemCall.SOCKET, 16, 3, protocol))
          .isEqualTo(EPROTONOSUPPORT);
    }
    assertThat(decide(architecture, SystemCall.SOCKET, 2, 1, 6)).isEqualTo(ALLOW);
    assertThat(decide(architecture, SystemCall.SOCKETPAIR, 1, 1, 0)).isEqualTo(ALLOW);
    assertThat(decide(architecture, SystemCall.SOCKETPAIR, 30, 1, 0)).isEqualTo(EAFNOSUPPORT);
  }

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void unixSocketsCanBeClosedWhilePairsRemain(Architecture architecture) {
    SeccompOptions strict = new SeccompOptions(false, true);
    assertThat(decide(architecture, strict, SystemCall.SOCKET, 1, 1, 0)).isEqualTo(EPERM);
    assertThat(decide(architecture, strict, SystemCall.SOCKET, 2, 1, 0)).isEqualTo(ALLOW);
    assertThat(decide(architecture, strict, SystemCall.SOCKETPAIR, 1, 1, 0)).isEqualTo(ALLOW);
  }

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void newNamespacesAreRefusedAndThreadsAreNot(Architecture architecture) {
    long thread = 0x3D0F00;
    assertThat(decide(architecture, SystemCall.CLONE, thread)).isEqualTo(ALLOW);
    assertThat(decide(architecture, SystemCall.CLONE, 17)).isEqualTo(ALLOW);
    assertThat(decide(architecture, SystemCall.CLONE, 0x4000 | 17)).isEqualTo(ALLOW);
    assertThat(decide(architecture, SystemCall.UNSHARE, 0x400)).isEqualTo(ALLOW);
    for (int bit : new int[] {17, 25, 26, 27, 28, 29, 30}) {
      assertThat(decide(architecture, SystemCall.CLONE, 1L << bit | 17)).isEqualTo(EPERM);
      assertThat(decide(architecture, SystemCall.UNSHARE, 1L << bit)).isEqualTo(EPERM);
    }
    assertThat(decide(architecture, SystemCall.UNSHARE, 0x80)).isEqualTo(EPERM);
    assertThat(decide(architecture, SystemCall.CLONE3)).isEqualTo(ENOSYS);
    assertThat(decide(architecture, SystemCall.SETNS)).isEqualTo(EPERM);
  }

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void setIdBitsAreRefusedInEveryCallThatTakesAMode(Architecture architecture) {
    Map<SystemCall, Integer> modes = new HashMap<>();
    modes.put(SystemCall.CHMOD, 1);
    modes.put(SystemCall.FCHMOD, 1);
    modes.put(SystemCall.FCHMODAT, 2);
    modes.put(SystemCall.FCHMODAT2, 2);
    modes.put(SystemCall.CREAT, 1);
    modes.put(SystemCall.MKNOD, 1);
    modes.put(SystemCall.MKNODAT, 2);
    modes.forEach(
        (call, argument) -> {
          if (call.number(architecture) == SystemCall.NONE) {
            return;
          }
          for (int mode : new int[] {0644, 0755, 01777, 0104755, 02755, 06000, 04000}) {
            long[] arguments = new long[6];
            arguments[argument] = mode | HIGH;
            boolean setId = (mode & 06000) != 0;
            assertThat(decide(architecture, call, arguments))
                .as("%s %o", call, mode)
                .isEqualTo(setId ? EPERM : ALLOW);
          }
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void theModeOfOpenCountsOnlyWhereAFileIsMade(Architecture architecture) {
    long garbage = 06755;
    assertThat(decide(architecture, SystemCall.OPENAT, 0, 0, 0, garbage)).isEqualTo(ALLOW);
    assertThat(decide(architecture, SystemCall.OPENAT, 0, 0, 0101, garbage)).isEqualTo(EPERM);
    assertThat(decide(architecture, SystemCall.OPENAT, 0, 0, 0101, 0644)).isEqualTo(ALLOW);
    assertThat(decide(architecture, SystemCall.OPENAT, 0, 0, 020200002, garbage)).isEqualTo(EPERM);
    if (architecture == Architecture.X86_64) {
      assertThat(decide(architecture, SystemCall.OPEN, 0, 0, garbage)).isEqualTo(ALLOW);
      assertThat(decide(architecture, SystemCall.OPEN, 0, 0101, garbage)).isEqualTo(EPERM);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void aSetgidWorkspaceLeavesSetgidAllowed(Architecture architecture) {
    SeccompOptions setgid = new SeccompOptions(true, false);
    assertThat(decide(architecture, setgid, SystemCall.FCHMOD, 0, 02755)).isEqualTo(ALLOW);
    assertThat(decide(architecture, setgid, SystemCall.FCHMOD, 0, 04755)).isEqualTo(EPERM);
    assertThat(decide(architecture, setgid, SystemCall.FCHMOD, 0, 06755)).isEqualTo(EPERM);
  }

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void theProgramAgreesWithAPlainReadingOfTheTable(Architecture architecture) {
    Random random = new Random(20260101);
    List<SystemCall> calls = List.of(SystemCall.values());
    for (SeccompOptions options :
        new SeccompOptions[] {SeccompOptions.DEFAULT, new SeccompOptions(true, true)}) {
      BpfMachine machine = new BpfMachine(SeccompProgram.of(architecture, options));
      for (int round = 0; round < 20_000; round++) {
        SystemCall call = calls.get(random.nextInt(calls.size()));
        if (call.number(architecture) == SystemCall.NONE) {
          continue;
        }
        long[] arguments = new long[6];
        for (int i = 0; i < 6; i++) {
          arguments[i] = random.nextLong() >>> random.nextInt(64);
        }
        int audit = SeccompProgram.auditArchitecture(architecture);
        assertThat(machine.run(audit, call.number(architecture), arguments))
            .as("%s %s", call, Arrays.toString(arguments))
            .isEqualTo(plain(options, call, arguments));
      }
    }
  }

  private static int plain(SeccompOptions options, SystemCall call, long[] arguments) {
    for (SeccompRule rule : SeccompTable.rules(options)) {
      boolean all =
          rule.calls().contains(call)
              && rule.tests().stream()
                  .allMatch(
                      test -> {
                        int value = (int) arguments[test.argument()];
                        return switch (test) {
                          case ArgumentTest.AnyBit any -> (value & any.bits()) != 0;
                          case ArgumentTest.OneOf one -> one.values().contains(value);
                          case ArgumentTest.NoneOf none -> !none.values().contains(value);
                        };
                      });
      if (all) {
        return 0x50000 | rule.refusal().errno();
      }
    }
    return ALLOW;
  }

  @Test
  void farLabelsAreReachedThroughJumpsInBetween() {
    for (int gap : new int[] {0, 1, 253, 254, 255, 256, 257, 1000}) {
      for (int value : new int[] {7, 8}) {
        BpfAssembler assembler = new BpfAssembler();
        BpfAssembler.Label yes = new BpfAssembler.Label();
        BpfAssembler.Label no = new BpfAssembler.Label();
        assembler.load(0);
        assembler.jumpIfEqual(7, yes, no);
        for (int i = 0; i < gap; i++) {
          assembler.ret(3);
        }
        assembler.bind(no);
        assembler.ret(2);
        for (int i = 0; i < gap; i++) {
          assembler.ret(4);
        }
        assembler.bind(yes);
        assembler.ret(1);

        int result = new BpfMachine(assembler.assemble()).run(0, value, 0, 0, 0, 0, 0, 0);

        assertThat(result).as("gap %d, value %d", gap, value).isEqualTo(value == 7 ? 1 : 2);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"X86_64", "AARCH64"})
  void noNumberIsListedTwiceAndEveryCallIsUsed(Architecture architecture) {
    Set<Integer> seen = new HashSet<>();
    Set<SystemCall> used = new HashSet<>();
    SeccompTable.rules(SeccompOptions.DEFAULT).forEach(rule -> used.addAll(rule.calls()));
    for (SystemCall call : SystemCall.values()) {
      int number = call.number(architecture);
      assertThat(number == SystemCall.NONE || seen.add(number)).as("%s", call).isTrue();
      assertThat(used).contains(call);
    }
  }
}
