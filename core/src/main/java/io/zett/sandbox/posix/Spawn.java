package io.zett.sandbox.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;

/**
 * {@code posix_spawn(3)}: a fork of a JVM would copy its page tables, this starts in 0.7 ms and
 * reports what {@code execve(2)} refused.
 */
final class Spawn {

  private static final MemorySegment SPAWN = Kernel.function("posix_spawn");
  private static final MemorySegment ACTIONS_INIT =
      Kernel.function("posix_spawn_file_actions_init");
  private static final MemorySegment ACTIONS_DESTROY =
      Kernel.function("posix_spawn_file_actions_destroy");
  private static final MemorySegment ACTIONS_DUP2 =
      Kernel.function("posix_spawn_file_actions_adddup2");
  private static final MemorySegment ACTIONS_CLOSE =
      Kernel.function("posix_spawn_file_actions_addclose");
  private static final MemorySegment ATTRIBUTES_INIT = Kernel.function("posix_spawnattr_init");
  private static final MemorySegment ATTRIBUTES_FLAGS = Kernel.function("posix_spawnattr_setflags");
  private static final MemorySegment ATTRIBUTES_DEFAULT =
      Kernel.function("posix_spawnattr_setsigdefault");
  private static final MemorySegment ATTRIBUTES_MASK =
      Kernel.function("posix_spawnattr_setsigmask");

  /** Since glibc 2.34; musl has none. Descriptors of a JVM are closed on exec anyway. */
  private static final MemorySegment ACTIONS_CLOSE_FROM =
      Kernel.optionalFunction("posix_spawn_file_actions_addclosefrom_np");

  /** More than any C library's {@code posix_spawn_file_actions_t} (glibc: 80 bytes). */
  private static final int ACTIONS_SIZE = 512;

  /** More than any C library's {@code posix_spawnattr_t} (glibc: 336 bytes). */
  private static final int ATTRIBUTES_SIZE = 1024;

  private static final int SIGNAL_SET_SIZE = 128;

  /**
   * POSIX_SPAWN_SETPGROUP (spawn.h), and the default group 0: a group of its own. A Ctrl-C at the
   * caller's terminal is the caller's to answer; it must not hit the launcher too.
   */
  private static final short SETPGROUP = 0x02;

  private static final short SETSIGMASK_AND_SETSIGDEF = 0x08 | 0x04;

  private Spawn() {}

  static int run(
      IntUnaryOperator duplicate,
      IntConsumer close,
      UnixPath program,
      List<byte[]> argv,
      List<byte[]> env,
      List<Mapping> mappings) {
    List<Integer> moved = new ArrayList<>();
    try (Scratch scratch = Scratch.take()) {
      long actions = scratch.allocate(ACTIONS_SIZE, 16).address();
      check("posix_spawn_file_actions_init", program, call(ACTIONS_INIT, actions, 0, 0));
      try {
        BitSet targets = new BitSet(Mapping.RESERVED);
        for (Mapping mapping : mappings) {
          int source = mapping.source();
          if (source < Mapping.RESERVED) {
            // Out of the targets' way, so that no dup2 clobbers a source that is still needed.
            source = duplicate.applyAsInt(source);
            moved.add(source);
          }
          check(
              "posix_spawn_file_actions_adddup2",
              program,
              call(ACTIONS_DUP2, actions, source, mapping.target()));
          targets.set(mapping.target());
        }
        int above = targets.length();
        for (int gap = targets.nextClearBit(0); gap < above; gap = targets.nextClearBit(gap + 1)) {
          check("posix_spawn_file_actions_addclose", program, call(ACTIONS_CLOSE, actions, gap, 0));
        }
        if (ACTIONS_CLOSE_FROM.address() != 0) {
          check(
              "posix_spawn_file_actions_addclosefrom_np",
              program,
              call(ACTIONS_CLOSE_FROM, actions, above, 0));
        }
        MemorySegment pid = scratch.allocate(JAVA_INT);
        long path = Kernel.string(scratch, program);
        int error =
            Kernel.libc(
                SPAWN,
                pid.address(),
                path,
                actions,
                attributes(scratch),
                vector(scratch, argv),
                vector(scratch, env));
        check("posix_spawn", program, error);
        return pid.get(JAVA_INT, 0);
      } finally {
        call(ACTIONS_DESTROY, actions, 0, 0);
      }
    } finally {
      moved.forEach(close::accept);
    }
  }

  private static long attributes(Scratch scratch) {
    long attributes = scratch.allocate(ATTRIBUTES_SIZE, 16).address();
    MemorySegment none = scratch.allocate(SIGNAL_SET_SIZE, 8);
    MemorySegment all = scratch.allocate(SIGNAL_SET_SIZE, 8).fill((byte) 0xff);
    call(ATTRIBUTES_INIT, attributes, 0, 0);
    call(ATTRIBUTES_FLAGS, attributes, SETPGROUP | SETSIGMASK_AND_SETSIGDEF, 0);
    call(ATTRIBUTES_DEFAULT, attributes, all.address(), 0);
    call(ATTRIBUTES_MASK, attributes, none.address(), 0);
    return attributes;
  }

  /** A NULL-terminated array of strings. */
  private static long vector(Scratch scratch, List<byte[]> strings) {
    long total = 0;
    for (byte[] string : strings) {
      total += string.length + 1L;
    }
    MemorySegment pointers = scratch.allocate((strings.size() + 1L) * Long.BYTES, Long.BYTES);
    MemorySegment text = scratch.allocate(Math.max(1, total));
    long at = 0;
    for (int i = 0; i < strings.size(); i++) {
      byte[] string = strings.get(i);
      for (byte b : string) {
        if (b == 0) {
          throw new IllegalArgumentException("a NUL in an argument or a variable");
        }
      }
      pointers.setAtIndex(JAVA_LONG, i, text.address() + at);
      MemorySegment.copy(string, 0, text, JAVA_BYTE, at, string.length);
      at += string.length + 1L;
    }
    return pointers.address();
  }

  private static int call(MemorySegment function, long a, long b, long c) {
    return Kernel.libc(function, a, b, c, 0, 0, 0);
  }

  private static void check(String call, UnixPath program, int error) {
    if (error != 0) {
      throw new PosixException(error, call, program.toString());
    }
  }
}
