package io.zett.sandbox.process;

import io.zett.sandbox.TerminalSize;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What zett-init starts once it is told to; the token that lets the command run.
 *
 * @param argv the program (searched in the block's own PATH when it has no slash) and arguments
 * @param env {@code NAME=value} strings
 * @param directory where the command starts, absolute
 * @param rlimits limits of every process of the command
 * @param onlyWritable directories that the command may write below, which Landlock keeps it to
 *     where the kernel has it; null: it is not restricted so
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record StartBlock(
    List<byte[]> argv,
    List<byte[]> env,
    byte[] directory,
    List<Rlimit> rlimits,
    @Nullable List<byte[]> onlyWritable) {

  static final int MAGIC = 0x5454455A; // "ZETT"
  static final int VERSION = 3;
  static final int WALLED = 1;
  static final int MERGED = 2;
  static final int NO_INPUT = 4;
  static final int TERMINAL = 8;
  static final int HEADER = 16;
  static final int MAX_PAYLOAD = 64 << 20;

  public StartBlock {
    argv = List.copyOf(argv);
    env = List.copyOf(env);
    rlimits = List.copyOf(rlimits);
    if (argv.isEmpty()) {
      throw new IllegalArgumentException("a command needs a program");
    }
    argv.forEach(StartBlock::checkNoNul);
    env.forEach(StartBlock::checkNoNul);
    checkNoNul(directory);
    if (onlyWritable != null) {
      onlyWritable = List.copyOf(onlyWritable);
      onlyWritable.forEach(StartBlock::checkNoNul);
    }
  }

  /** A block whose command Landlock does not restrict. */
  public StartBlock(List<byte[]> argv, List<byte[]> env, byte[] directory, List<Rlimit> rlimits) {
    this(argv, env, directory, rlimits, null);
  }

  /**
   * Header and payload, as zett-init reads them.
   *
   * @param merged whether the standard error goes where the standard output goes
   * @param noInput whether the standard input is {@code /dev/null}
   * @param terminal what all three streams are; null: what the other two say
   */
  byte[] encode(boolean merged, boolean noInput, @Nullable TerminalSize terminal) {
    int flags =
        (onlyWritable == null ? 0 : WALLED)
            | (merged ? MERGED : 0)
            | (noInput ? NO_INPUT : 0)
            | (terminal == null ? 0 : TERMINAL);
    List<byte[]> roots = onlyWritable == null ? List.of() : onlyWritable;
    List<byte[]> strings = new ArrayList<>(argv);
    strings.addAll(env);
    strings.addAll(roots);
    long size =
        (terminal == null ? 0 : 4) + 4 + 24L * rlimits.size() + 4 + directory.length + 1 + 12;
    for (byte[] string : strings) {
      size += string.length + 1L;
    }
    if (size > MAX_PAYLOAD) {
      throw new SetupFailure(
          "read the command", 0, "arguments and environment are longer than 64 MiB");
    }
    ByteBuffer block = ByteBuffer.allocate(HEADER + (int) size).order(ByteOrder.nativeOrder());
    block.putInt(MAGIC).putInt(VERSION).putInt(flags).putInt((int) size);
    if (terminal != null) {
      block.putInt(terminal.rows() << 16 | terminal.columns());
    }
    block.putInt(rlimits.size());
    for (Rlimit limit : rlimits) {
      block.putInt(limit.resource()).putInt(0).putLong(limit.soft()).putLong(limit.hard());
    }
    block.putInt(directory.length + 1).put(directory).put((byte) 0);
    block.putInt(argv.size()).putInt(env.size()).putInt(roots.size());
    strings.forEach(string -> block.put(string).put((byte) 0));
    return block.array();
  }

  private static void checkNoNul(byte[] string) {
    for (byte b : string) {
      if (b == 0) {
        throw new IllegalArgumentException("a NUL in an argument, a variable or the directory");
      }
    }
  }
}
