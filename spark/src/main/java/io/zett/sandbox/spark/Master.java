package io.zett.sandbox.spark;

import io.zett.sandbox.SandboxUnavailableException;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a batch is to run, as {@code --master} names it.
 *
 * @param url as Spark takes it
 * @param addresses of the masters of a cluster; none for this machine
 */
record Master(String url, List<InetSocketAddress> addresses) {
  private static final Pattern HERE =
      Pattern.compile(
          "local(\\[(\\*|[1-9]\\d{0,3})(\\s*,\\s*[1-9]\\d{0,3})?])?"
              + "|local-cluster\\[\\s*[1-9]\\d*\\s*,\\s*[1-9]\\d*\\s*,\\s*[1-9]\\d*\\s*]");
  private static final Pattern CLUSTER = Pattern.compile("spark://([^,]+(?:,[^,]+)*)");
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[^]/@]+]|[^:/@\\[\\]\\s]+):(\\d{1,5})");
  private static final int LAST_PORT = 65_535;
  private static final int PATIENCE_MILLIS = 5000;

  /**
   * Reads it.
   *
   * @param variable the caller's variables
   * @throws IllegalArgumentException if it is none, or lacks what it needs
   */
  static Master of(String url, Function<String, Optional<String>> variable) {
    if (HERE.matcher(url).matches()) {
      if (url.startsWith("local-cluster") && !hasJars(variable.apply("SPARK_HOME"))) {
        throw new IllegalArgumentException(
            "--master: \""
                + url
                + "\" starts executors from SPARK_HOME, which names no folder with jars;"
                + " set it to that of Spark 4.2, or give local[*]");
      }
      return new Master(url, List.of());
    }
    Matcher cluster = CLUSTER.matcher(url);
    List<InetSocketAddress> addresses = new ArrayList<>();
    if (cluster.matches()) {
      for (String one : cluster.group(1).split(",", -1)) {
        Matcher address = ADDRESS.matcher(one);
        if (address.matches() && Integer.parseInt(address.group(2)) <= LAST_PORT) {
          addresses.add(
              InetSocketAddress.createUnresolved(
                  address.group(1), Integer.parseInt(address.group(2))));
        }
      }
      if (addresses.size() == cluster.group(1).split(",", -1).length) {
        return new Master(url, List.copyOf(addresses));
      }
    }
    throw new IllegalArgumentException(
        "--master: \""
            + url
            + "\" is no master that can be used here; give local[*] for the processors of this"
            + " machine, or spark://HOST:7077. For other clusters there is SandboxedPrograms, in a"
            + " Spark job of your own");
  }

  private static boolean hasJars(Optional<String> home) {
    return home.filter(each -> new File(each, "jars").isDirectory()).isPresent();
  }

  /** Whether everything stays on this machine, so that nothing need be reached from elsewhere. */
  boolean isHere() {
    return addresses.stream().allMatch(each -> isLoopback(each.getHostString()));
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /**
   * Looks whether a master answers: Spark itself tries for a minute.
   *
   * @throws SandboxUnavailableException if none does
   */
  void reach() {
    List<String> refusals = new ArrayList<>();
    for (InetSocketAddress address : addresses) {
      try (Socket socket = new Socket()) {
        socket.connect(
            new InetSocketAddress(address.getHostString(), address.getPort()), PATIENCE_MILLIS);
        return;
      } catch (IOException e) {
        refusals.add(address.getHostString() + ":" + address.getPort() + ": " + e.getMessage());
      }
    }
    if (!refusals.isEmpty()) {
      throw new SandboxUnavailableException(
          "--master: no master answers at " + url + " (" + String.join("; ", refusals) + ")",
          "start one there (sbin/start-master.sh of Spark), name another, or give local[*] for this"
              + " machine alone");
    }
  }
}
