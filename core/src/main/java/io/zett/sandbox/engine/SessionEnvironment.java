package io.zett.sandbox.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.EnvironmentRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The variables of a sandbox's commands as the kernel takes them. Immutable, thread-safe. */
final class SessionEnvironment {
  private static final String HOME = "HOME";

  private final Map<String, String> host = CallerEnvironment.get().variables();
  private final Map<String, String> provided;
  private final Map<String, String> session;
  private final UnixPath home;
  private final List<byte[]> usual;

  /**
   * Those of one sandbox.
   *
   * @param scratch where commands have their temporary files
   * @param home what {@code HOME} is unless the caller says otherwise: its bytes need not be text
   * @param accountName the account that commands run as
   */
  SessionEnvironment(SandboxPolicy policy, UnixPath scratch, UnixPath home, String accountName) {
    Optional<String> cache =
        policy.home() == HomeMode.HOST
            ? Optional.of(scratch.resolve(".cache").toString())
            : Optional.empty();
    provided = new HashMap<>(EnvironmentRules.provided(scratch.toString(), cache));
    provided.put(HOME, home.toString());
    provided.put("USER", accountName);
    provided.put("LOGNAME", accountName);
    session = policy.env();
    this.home = home;
    usual = entries(Map.of());
  }

  /** As {@code NAME=value}, sorted by name. */
  List<byte[]> of(Map<String, String> ofCommand) {
    return ofCommand.isEmpty() ? usual : entries(ofCommand);
  }

  private List<byte[]> entries(Map<String, String> ofCommand) {
    return EnvironmentRules.compose(host, provided, session, ofCommand).entrySet().stream()
        .map(variable -> entry(variable.getKey(), variable.getValue()))
        .toList();
  }

  private byte[] entry(String name, String value) {
    boolean isHome = name.equals(HOME) && value.equals(home.toString());
    return isHome
        ? (HOME + "=" + home.latin1()).getBytes(ISO_8859_1)
        : (name + "=" + value).getBytes(UTF_8);
  }
}
