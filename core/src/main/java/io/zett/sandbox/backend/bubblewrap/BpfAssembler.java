package io.zett.sandbox.backend.bubblewrap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Assembles a classic BPF program (Linux, {@code filter.h}) from instructions with labels.
 *
 * <p>A conditional jump reaches 255 instructions ahead at most; where a label is farther, an
 * unconditional jump is put in between. Not thread-safe.
 */
final class BpfAssembler {

  /** Kernel limit of one program (BPF_MAXINSNS). */
  static final int MAX_INSTRUCTIONS = 4096;

  private static final int LOAD_WORD_ABSOLUTE = 0x20;
  private static final int JUMP = 0x05;
  private static final int JUMP_IF_EQUAL = 0x15;
  private static final int JUMP_IF_AT_LEAST = 0x35;
  private static final int JUMP_IF_ANY_BIT = 0x45;
  private static final int RETURN = 0x06;
  private static final int LONGEST_CONDITIONAL_JUMP = 255;

  /** A place in the program to jump to; of one assembler. */
  static final class Label {
    private int index = -1;
  }

  private sealed interface Instruction {}

  private record Plain(int code, int operand) implements Instruction {}

  private record Goto(Label target) implements Instruction {}

  private record Conditional(int code, int operand, Label yes, Label no) implements Instruction {}

  private final List<Instruction> instructions = new ArrayList<>();

  /** Binds a label to the next instruction. */
  void bind(Label label) {
    if (label.index >= 0) {
      throw new IllegalStateException("a label is bound once");
    }
    label.index = instructions.size();
  }

  /** Loads the 32-bit word at this offset of the data into the accumulator. */
  void load(int offset) {
    instructions.add(new Plain(LOAD_WORD_ABSOLUTE, offset));
  }

  void jump(Label target) {
    instructions.add(new Goto(target));
  }

  void jumpIfEqual(int value, Label yes, Label no) {
    instructions.add(new Conditional(JUMP_IF_EQUAL, value, yes, no));
  }

  /** Compares as unsigned numbers. */
  void jumpIfAtLeast(int value, Label yes, Label no) {
    instructions.add(new Conditional(JUMP_IF_AT_LEAST, value, yes, no));
  }

  void jumpIfAnyBit(int bits, Label yes, Label no) {
    instructions.add(new Conditional(JUMP_IF_ANY_BIT, bits, yes, no));
  }

  void ret(int value) {
    instructions.add(new Plain(RETURN, value));
  }

  /** The program as an array of {@code struct sock_filter}, little-endian as both architectures. */
  byte[] assemble() {
    int count = instructions.size();
    boolean[] farYes = new boolean[count];
    boolean[] farNo = new boolean[count];
    int[] address = new int[count + 1];
    boolean grown = true;
    while (grown) {
      grown = false;
      for (int i = 0; i < count; i++) {
        address[i + 1] = address[i] + 1 + (farYes[i] ? 1 : 0) + (farNo[i] ? 1 : 0);
      }
      for (int i = 0; i < count; i++) {
        if (instructions.get(i) instanceof Conditional jump) {
          if (!farYes[i] && distance(address, i, jump.yes) > LONGEST_CONDITIONAL_JUMP) {
            farYes[i] = true;
            grown = true;
          }
          if (!farNo[i] && distance(address, i, jump.no) > LONGEST_CONDITIONAL_JUMP) {
            farNo[i] = true;
            grown = true;
          }
        }
      }
    }
    if (address[count] > MAX_INSTRUCTIONS) {
      throw new IllegalStateException("a BPF program of " + address[count] + " instructions");
    }
    ByteBuffer out = ByteBuffer.allocate(address[count] * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      switch (instructions.get(i)) {
        case Plain(int code, int operand) -> put(out, code, 0, 0, operand);
        case Goto(Label target) -> put(out, JUMP, 0, 0, distance(address, i, target));
        case Conditional(int code, int operand, Label yes, Label no) -> {
          put(
              out,
              code,
              farYes[i] ? 0 : distance(address, i, yes),
              farNo[i] ? (farYes[i] ? 1 : 0) : distance(address, i, no),
              operand);
          if (farYes[i]) {
            put(out, JUMP, 0, 0, distance(address, i, yes) - 1);
          }
          if (farNo[i]) {
            put(out, JUMP, 0, 0, distance(address, i, no) - (farYes[i] ? 2 : 1));
          }
        }
      }
    }
    return out.array();
  }

  /** Instructions to skip from the one after the first of item {@code from}; never backwards. */
  private static int distance(int[] address, int from, Label target) {
    if (target.index < 0) {
      throw new IllegalStateException("a label was never bound");
    }
    int distance = address[target.index] - address[from] - 1;
    if (distance < 0) {
      throw new IllegalStateException("BPF jumps forwards only");
    }
    return distance;
  }

  private static void put(ByteBuffer out, int code, int yes, int no, int operand) {
    out.putShort((short) code).put((byte) yes).put((byte) no).putInt(operand);
  }
}
