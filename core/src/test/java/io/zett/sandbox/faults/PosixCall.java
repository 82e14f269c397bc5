package io.zett.sandbox.faults;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.Received;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One call of the operating system, which has not been made yet. */
public final class PosixCall {

  /** Those that return the negated error number instead of throwing. */
  private static final Set<String> NEGATE =
      Set.of("read", "write", "pread", "pwrite", "splice", "send", "recv");

  /** Those that say no instead of throwing. */
  private static final Set<String> REFUSE = Set.of("faccessat", "setPipeSize", "reap");

  private final Posix system;
  private final Method method;
  private final Object @Nullable [] arguments;

  PosixCall(Posix system, Method method, Object @Nullable [] arguments) {
    this.system = system;
    this.method = method;
    this.arguments = arguments;
  }

  /** Its name in {@link Posix}. */
  public String name() {
    return method.getName();
  }

  /** One of its arguments. */
  public Object argument(int index) {
    if (arguments == null) {
      throw new IndexOutOfBoundsException(name() + " has no arguments");
    }
    return arguments[index];
  }

  /** Makes it. */
  public @Nullable Object proceed() {
    try {
      return method.invoke(system, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new AssertionError(name(), e);
    } catch (IllegalAccessException e) {
      throw new AssertionError(name(), e);
    }
  }

  /** Refuses it as the kernel would, in the way that this call tells its errors. */
  public Object fail(int errno) {
    if (NEGATE.contains(name())) {
      return (long) -errno;
    }
    if (REFUSE.contains(name())) {
      return false;
    }
    if (name().equals("receiveWithCredentials")) {
      return Received.refused(errno);
    }
    throw new PosixException(errno, name(), "on demand");
  }

  @Override
  public String toString() {
    return name();
  }
}
