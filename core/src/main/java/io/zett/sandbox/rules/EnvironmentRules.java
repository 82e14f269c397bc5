package io.zett.sandbox.rules;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Which variables a command gets, and which of several values. */
public final class EnvironmentRules {
  private static final Set<String> PASSING =
      Set.of(
          "PATH",
          "HOME",
          "USER",
          "LOGNAME",
          "SHELL",
          "LANG",
          "LANGUAGE",
          "TZ",
          "TERM",
          "COLORTERM",
          "NO_COLOR",
          "FORCE_COLOR",
          "CLICOLOR",
          "JAVA_HOME");
  private static final String PASSING_PREFIX = "LC_";

  // Words in names that say "secret". They decide only about names that the prefix lets through,
  // and
  // keep doing so when the allow-list grows.
  private static final List<String> SECRET_WORDS =
      List.of("TOKEN", "SECRET", "PASSWORD", "PASSWD", "API_KEY", "_KEY", "CREDENTIAL");

  private EnvironmentRules() {}

  /** Whether a variable of the host reaches commands by itself. */
  public static boolean passes(String name) {
    return (PASSING.contains(name) || name.startsWith(PASSING_PREFIX)) && !looksSecret(name);
  }

  /** Whether a name looks like that of a secret. */
  public static boolean looksSecret(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return SECRET_WORDS.stream().anyMatch(upper::contains);
  }

  /**
   * What the sandbox itself sets, on top of the host's variables.
   *
   * @param scratch the private scratch directory inside
   * @param cache where caches go when the home directory cannot be written
   */
  public static Map<String, String> provided(String scratch, Optional<String> cache) {
    TreeMap<String, String> provided = new TreeMap<>();
    for (String name : List.of("TMPDIR", "TMP", "TEMP")) {
      provided.put(name, scratch);
    }
    cache.ifPresent(directory -> provided.put("XDG_CACHE_HOME", directory));
    return Collections.unmodifiableMap(provided);
  }

  /**
   * The environment of a command, sorted by name: the host's variables that pass, then what the
   * sandbox provides, the session's and the command's own; the later wins. What a session or
   * command names reaches it, whatever it is called.
   */
  public static SortedMap<String, String> compose(
      Map<String, String> host,
      Map<String, String> provided,
      Map<String, String> session,
      Map<String, String> command) {
    TreeMap<String, String> environment = new TreeMap<>();
    host.forEach(
        (name, value) -> {
          if (passes(name)) {
            environment.put(name, value);
          }
        });
    environment.putAll(provided);
    environment.putAll(session);
    environment.putAll(command);
    return Collections.unmodifiableSortedMap(environment);
  }
}
