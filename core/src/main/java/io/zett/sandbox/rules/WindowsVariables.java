package io.zett.sandbox.rules;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which variables a command gets on Windows, where {@code Path} and {@code PATH} are one. Without
 * some of the system's own, programs do not even start: sockets need {@code SystemRoot}, a shell
 * {@code ComSpec}.
 */
public final class WindowsVariables {
  private static final Set<String> PASSING =
      names(
          "ALLUSERSPROFILE",
          "APPDATA",
          "CommonProgramFiles",
          "CommonProgramFiles(x86)",
          "CommonProgramW6432",
          "COMPUTERNAME",
          "ComSpec",
          "DriverData",
          "HOMEDRIVE",
          "HOMEPATH",
          "LOCALAPPDATA",
          "NUMBER_OF_PROCESSORS",
          "OS",
          "PATHEXT",
          "PROCESSOR_ARCHITECTURE",
          "PROCESSOR_IDENTIFIER",
          "PROCESSOR_LEVEL",
          "PROCESSOR_REVISION",
          "ProgramData",
          "ProgramFiles",
          "ProgramFiles(x86)",
          "ProgramW6432",
          "PUBLIC",
          "SystemDrive",
          "SystemRoot",
          "USERDOMAIN",
          "USERNAME",
          "USERPROFILE",
          "windir");

  private WindowsVariables() {}

  private static Set<String> names(String... names) {
    Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    set.addAll(List.of(names));
    return Collections.unmodifiableSet(set);
  }

  /** Whether a variable of the host reaches commands by itself. */
  public static boolean passes(String name) {
    return PASSING.contains(name) || EnvironmentRules.passes(name.toUpperCase(Locale.ROOT));
  }

  /** The values, whatever the case of their names; the first of several counts. */
  public static SortedMap<String, String> ignoringCase(Map<String, String> variables) {
    TreeMap<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    variables.forEach(all::putIfAbsent);
    return all;
  }

  /** As {@link EnvironmentRules#compose}, the case of names ignored; the later spelling stays. */
  public static SortedMap<String, String> compose(
      Map<String, String> host,
      Map<String, String> provided,
      Map<String, String> session,
      Map<String, String> command) {
    TreeMap<String, String> environment = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    ignoringCase(host)
        .forEach(
            (name, value) -> {
              if (passes(name)) {
                environment.put(name, value);
              }
            });
    for (Map<String, String> each : List.of(provided, session, command)) {
      each.forEach(
          (name, value) -> {
            environment.remove(name);
            environment.put(name, value);
          });
    }
    return Collections.unmodifiableSortedMap(environment);
  }
}
