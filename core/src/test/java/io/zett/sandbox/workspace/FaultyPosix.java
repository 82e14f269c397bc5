package io.zett.sandbox.workspace;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Predicate;

/** This machine's calls, of which some fail as an older kernel's or another file system's do. */
final class FaultyPosix {

  private FaultyPosix() {}

  /** Calls of this name whose arguments match fail with {@code errno}. */
  static Posix failing(Posix real, String call, Predicate<Object[]> matching, int errno) {
    return (Posix)
        Proxy.newProxyInstance(
            Posix.class.getClassLoader(),
            new Class<?>[] {Posix.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals(call) && matching.test(arguments)) {
                throw new PosixException(errno, call, "");
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  static Posix failing(Posix real, String call, int errno) {
    return failing(real, call, arguments -> true, errno);
  }
}
