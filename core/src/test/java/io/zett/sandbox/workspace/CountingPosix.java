package io.zett.sandbox.workspace;

import io.zett.sandbox.posix.Posix;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.TreeMap;

/** This machine's calls, counted by name, with the greatest number of descriptors open at once. */
final class CountingPosix {

  final Map<String, Integer> calls = new TreeMap<>();
  int open;
  int mostOpen;

  Posix over(Posix real) {
    return (Posix)
        Proxy.newProxyInstance(
            Posix.class.getClassLoader(),
            new Class<?>[] {Posix.class},
            (proxy, method, arguments) -> {
              Object result;
              try {
                result = method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                calls.merge(method.getName() + " failed", 1, Integer::sum);
                throw e.getCause();
              }
              calls.merge(method.getName(), 1, Integer::sum);
              switch (method.getName()) {
                case "open", "openat", "openat2" -> open++;
                case "close" -> open--;
                default -> {}
              }
              mostOpen = Math.max(mostOpen, open);
              return result;
            });
  }
}
