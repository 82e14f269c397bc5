package io.zett.sandbox.backend.bubblewrap;

import io.zett.sandbox.backend.bubblewrap.ArgumentTest.AnyBit;
import io.zett.sandbox.backend.bubblewrap.ArgumentTest.NoneOf;
import io.zett.sandbox.backend.bubblewrap.ArgumentTest.OneOf;
import io.zett.sandbox.backend.bubblewrap.BpfAssembler.Label;
import io.zett.sandbox.backend.bubblewrap.SeccompRule.Refusal;
import io.zett.sandbox.posix.Architecture;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Compiles the table of refused calls into a classic BPF program for {@code seccomp(2)}.
 *
 * <p>The architecture is looked at first: a number means another call elsewhere. Calls of a foreign
 * one (32-bit programs) kill the process, x32 numbers are unknown. A binary search finds the call;
 * the kernel remembers numbers that are always allowed (5.11), so that those cost nothing. Pure.
 */
public final class SeccompProgram {

  private static final int SECCOMP_RET_ALLOW = 0x7FFF0000;
  private static final int SECCOMP_RET_KILL_PROCESS = 0x80000000;

  // struct seccomp_data { int nr; __u32 arch; __u64 instruction_pointer; __u64 args[6]; }
  private static final int NUMBER = 0;
  private static final int ARCHITECTURE = 4;
  private static final int ARGUMENTS = 16;

  private static final int X32_BIT = 0x40000000;
  private static final int LINEAR = 3;

  private final BpfAssembler assembler = new BpfAssembler();
  private final Label allow = new Label();
  private final Label kill = new Label();
  private final Map<Refusal, Label> refusals = new EnumMap<>(Refusal.class);
  private final Map<Integer, Label> blocks = new TreeMap<>();

  private SeccompProgram() {
    for (Refusal refusal : Refusal.values()) {
      refusals.put(refusal, new Label());
    }
  }

  /**
   * The program as bytes of {@code struct sock_filter[]}, as {@code bwrap --seccomp} reads them.
   *
   * @throws IllegalArgumentException for an architecture whose numbers are not known
   */
  public static byte[] of(Architecture architecture, SeccompOptions options) {
    Map<Integer, List<SeccompRule>> byNumber = new TreeMap<>();
    for (SeccompRule rule : SeccompTable.rules(options)) {
      for (SystemCall call : rule.calls()) {
        int number = call.number(architecture);
        if (number != SystemCall.NONE) {
          byNumber.computeIfAbsent(number, _ -> new ArrayList<>()).add(rule);
        }
      }
    }
    return new SeccompProgram().compile(architecture, byNumber);
  }

  /** The value of {@code AUDIT_ARCH_}, as {@code linux/audit.h} has it. */
  static int auditArchitecture(Architecture architecture) {
    return switch (architecture) {
      case X86_64 -> 0xC000003E;
      case AARCH64 -> 0xC00000B7;
      case OTHER -> throw new IllegalArgumentException("no system call numbers are known");
    };
  }

  private byte[] compile(Architecture architecture, Map<Integer, List<SeccompRule>> byNumber) {
    Label native64 = new Label();
    assembler.load(ARCHITECTURE);
    assembler.jumpIfEqual(auditArchitecture(architecture), native64, kill);
    assembler.bind(native64);
    assembler.load(NUMBER);
    if (architecture == Architecture.X86_64) {
      Label known = new Label();
      assembler.jumpIfAtLeast(X32_BIT, refusal(Refusal.ENOSYS), known);
      assembler.bind(known);
    }
    byNumber.keySet().forEach(number -> blocks.put(number, new Label()));
    search(List.copyOf(byNumber.keySet()));
    byNumber.forEach(this::block);
    assembler.bind(allow);
    assembler.ret(SECCOMP_RET_ALLOW);
    assembler.bind(kill);
    assembler.ret(SECCOMP_RET_KILL_PROCESS);
    for (Refusal refusal : Refusal.values()) {
      assembler.bind(refusal(refusal));
      assembler.ret(refusal.action());
    }
    return assembler.assemble();
  }

  private void search(List<Integer> numbers) {
    if (numbers.size() > LINEAR) {
      int middle = numbers.size() / 2;
      Label upper = new Label();
      Label lower = new Label();
      assembler.jumpIfAtLeast(numbers.get(middle), upper, lower);
      assembler.bind(lower);
      search(numbers.subList(0, middle));
      assembler.bind(upper);
      search(numbers.subList(middle, numbers.size()));
      return;
    }
    for (int number : numbers) {
      Label next = new Label();
      assembler.jumpIfEqual(number, blockOf(number), next);
      assembler.bind(next);
    }
    assembler.jump(allow);
  }

  private void block(int number, List<SeccompRule> rules) {
    assembler.bind(blockOf(number));
    for (SeccompRule rule : rules) {
      Label next = new Label();
      for (ArgumentTest test : rule.tests()) {
        test(test, next);
      }
      assembler.jump(refusal(rule.refusal()));
      assembler.bind(next);
      if (rule.tests().isEmpty()) {
        return;
      }
    }
    assembler.jump(allow);
  }

  /** Falls through when the test holds, else goes to {@code otherwise}. */
  private void test(ArgumentTest test, Label otherwise) {
    assembler.load(ARGUMENTS + 8 * test.argument());
    Label holds = new Label();
    switch (test) {
      case AnyBit(_, int bits) -> assembler.jumpIfAnyBit(bits, holds, otherwise);
      case OneOf(_, List<Integer> values) -> {
        for (int value : values) {
          Label next = new Label();
          assembler.jumpIfEqual(value, holds, next);
          assembler.bind(next);
        }
        assembler.jump(otherwise);
      }
      case NoneOf(_, List<Integer> values) -> {
        for (int value : values) {
          Label next = new Label();
          assembler.jumpIfEqual(value, otherwise, next);
          assembler.bind(next);
        }
      }
    }
    assembler.bind(holds);
  }

  private Label refusal(Refusal refusal) {
    return Objects.requireNonNull(refusals.get(refusal));
  }

  private Label blockOf(int number) {
    return Objects.requireNonNull(blocks.get(number));
  }
}
