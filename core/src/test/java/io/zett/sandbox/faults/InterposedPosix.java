package io.zett.sandbox.faults;

import io.zett.sandbox.posix.Posix;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The operating system's calls through somebody's hands. Calls that are made of others ({@code
 * readFile}) are taken apart, so that each is met.
 */
public final class InterposedPosix {

  private InterposedPosix() {}

  /** Who decides what becomes of a call. Called by any thread. */
  @FunctionalInterface
  public interface Interposer {
    /** Makes the call or refuses it; the result is the caller's. */
    @Nullable Object on(PosixCall call);
  }

  /** A system whose calls go through an interposer. */
  public static Posix over(Posix system, Interposer interposer) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
          }
          PosixCall call = new PosixCall(system, method, arguments);
          return method.getDeclaringClass() == Object.class ? call.proceed() : interposer.on(call);
        };
    return (Posix)
        Proxy.newProxyInstance(
            InterposedPosix.class.getClassLoader(), new Class<?>[] {Posix.class}, handler);
  }

  /** One whose calls of a name fail, as an older kernel's or another file system's do. */
  public static Posix failing(Posix system, String name, int errno) {
    return failing(system, name, call -> true, errno);
  }

  /** The same for those calls of the name that match. */
  public static Posix failing(Posix system, String name, Predicate<PosixCall> matching, int errno) {
    return over(
        system,
        call ->
            call.name().equals(name) && matching.test(call) ? call.fail(errno) : call.proceed());
  }
}
