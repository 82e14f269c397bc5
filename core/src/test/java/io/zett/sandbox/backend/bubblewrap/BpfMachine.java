package io.zett.sandbox.backend.bubblewrap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Executes a classic BPF program on a {@code struct seccomp_data}, as the kernel does. */
final class BpfMachine {

  private final ByteBuffer program;
  int steps;

  BpfMachine(byte[] program) {
    this.program = ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** What the program returns for a call. */
  int run(int architecture, int number, long... arguments) {
    ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    data.putInt(number).putInt(architecture).putLong(0x7fff_0000_1234L);
    for (long argument : arguments) {
      data.putLong(argument);
    }
    int accumulator = 0;
    int at = 0;
    for (steps = 1; ; steps++) {
      int code = program.getShort(at * 8) & 0xffff;
      int yes = program.get(at * 8 + 2) & 0xff;
      int no = program.get(at * 8 + 3) & 0xff;
      int operand = program.getInt(at * 8 + 4);
      at++;
      switch (code) {
        case 0x20 -> accumulator = data.getInt(operand);
        case 0x05 -> at += operand;
        case 0x15 -> at += accumulator == operand ? yes : no;
        case 0x35 -> at += Integer.compareUnsigned(accumulator, operand) >= 0 ? yes : no;
        case 0x45 -> at += (accumulator & operand) != 0 ? yes : no;
        case 0x06 -> {
          return operand;
        }
        default -> throw new AssertionError("code " + Integer.toHexString(code));
      }
    }
  }
}
