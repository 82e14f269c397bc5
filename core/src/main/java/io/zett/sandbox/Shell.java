package io.zett.sandbox;

import java.util.List;
import java.util.Locale;

/** The shell that a command string goes to. */
final class Shell {
  private static final boolean WINDOWS =
      System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");

  private Shell() {}

  static List<String> arguments(String text) {
    return WINDOWS ? List.of("cmd.exe", "/d", "/s", "/c", text) : List.of("/bin/sh", "-c", text);
  }
}
