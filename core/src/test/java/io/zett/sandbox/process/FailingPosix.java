package io.zett.sandbox.process;

import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The real system, of which one call fails once. */
final class FailingPosix {

  /** What makes resources, and may lack them. */
  private static final Set<String> CALLS =
      Set.of(
          "open",
          "pipe2",
          "socketpair",
          "setsockopt",
          "fcntl",
          "memfdCreate",
          "spawn",
          "pidfdOpen",
          "epollCtl",
          "fstat",
          "splice",
          "ioctlInt",
          "receiveWithCredentials");

  final AtomicInteger untilFailure = new AtomicInteger(-1);
  final AtomicReference<String> failed = new AtomicReference<>("");
  final Posix posix;

  FailingPosix(Posix system) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (CALLS.contains(method.getName()) && untilFailure.getAndDecrement() == 0) {
            failed.set(method.getName());
            throw new PosixException(Errno.ENOMEM, method.getName(), "injected");
          }
          try {
            return method.invoke(system, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
          }
        };
    posix =
        (Posix)
            Proxy.newProxyInstance(
                FailingPosix.class.getClassLoader(), new Class<?>[] {Posix.class}, handler);
  }
}
