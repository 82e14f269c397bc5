package io.zett.sandbox.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * The one native shape: seven longs in, a long out, with {@code errno}.
 *
 * <p>Each new shape costs 3–6 ms when the JVM starts, so everything goes through this one: {@code
 * syscall(2)} itself, which takes a number and six arguments, and the few library functions that
 * have fewer (both calling conventions leave surplus arguments alone, and read an int from the low
 * half of a long).
 */
final class Kernel {

  private static final Linker LINKER = Linker.nativeLinker();

  private static final MethodHandle CALL =
      LINKER.downcallHandle(
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
              JAVA_LONG),
          Linker.Option.captureCallState("errno"));

  private static final MemorySegment SYSCALL = function("syscall");
  private static final MemorySegment SYSCONF = function("sysconf");

  private Kernel() {}

  /** The address of a C library function; {@code NULL} when this library lacks it. */
  static MemorySegment optionalFunction(String name) {
    return LINKER.defaultLookup().find(name).orElse(MemorySegment.NULL);
  }

  static MemorySegment function(String name) {
    return LINKER
        .defaultLookup()
        .find(name)
        .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no " + name));
  }

  /** A library function of at most six arguments; what it returns, as an int. */
  static int libc(MemorySegment function, long a, long b, long c, long d, long e, long f) {
    try (Scratch scratch = Scratch.take()) {
      return (int) invoke(function, scratch.errno(), a, b, c, d, e, f, 0);
    }
  }

  static long sysconf(int name) {
    try (Scratch scratch = Scratch.take()) {
      return invoke(SYSCONF, scratch.errno(), name, 0, 0, 0, 0, 0, 0);
    }
  }

  /** The result, or the negated error number; restarted after a signal. */
  static long raw(SystemCall call, long a, long b, long c, long d, long e, long f) {
    try (Scratch scratch = Scratch.take()) {
      return raw(scratch.errno(), call, a, b, c, d, e, f);
    }
  }

  /**
   * The same for many calls after each other, with a place for the error number of the caller's.
   */
  static long raw(
      MemorySegment errno, SystemCall call, long a, long b, long c, long d, long e, long f) {
    while (true) {
      long result = invoke(SYSCALL, errno, call.number, a, b, c, d, e, f);
      if (result != -1) {
        return result;
      }
      int error = errno.get(JAVA_INT, 0);
      // A close that was interrupted has closed; closing again could hit another's descriptor.
      if (error != Errno.EINTR || call == SystemCall.CLOSE) {
        return -error;
      }
    }
  }

  static long raw(SystemCall call, long a, long b, long c, long d) {
    return raw(call, a, b, c, d, 0, 0);
  }

  static long raw(SystemCall call, long a, long b) {
    return raw(call, a, b, 0, 0, 0, 0);
  }

  /** The result; a negative one is thrown, told with {@code subject}. */
  static long check(SystemCall call, Object subject, long result) {
    if (result < 0) {
      throw new PosixException((int) -result, call.callName(), text(subject));
    }
    return result;
  }

  private static long invoke(
      MemorySegment function,
      MemorySegment errno,
      long n,
      long a,
      long b,
      long c,
      long d,
      long e,
      long f) {
    try {
      return (long) CALL.invokeExact(function, errno, n, a, b, c, d, e, f);
    } catch (Throwable impossible) {
      throw new AssertionError("a native call threw", impossible);
    }
  }

  private static String text(Object subject) {
    return subject instanceof byte[] name
        ? new String(name, StandardCharsets.UTF_8)
        : subject.toString();
  }

  /** A NUL-terminated copy; a NUL inside would silently name something else. */
  static long string(Scratch scratch, byte[] bytes) {
    MemorySegment copy = scratch.allocate(bytes.length + 1L);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == 0) {
        throw new IllegalArgumentException("a NUL in a string for the operating system");
      }
    }
    MemorySegment.copy(bytes, 0, copy, JAVA_BYTE, 0, bytes.length);
    return copy.address();
  }

  static long string(Scratch scratch, UnixPath path) {
    return string(scratch, path.bytes());
  }

  static long string(Scratch scratch, String text) {
    return string(scratch, text.getBytes(StandardCharsets.UTF_8));
  }
}
