package io.zett.sandbox;

import java.util.Map;
import java.util.Objects;

/** Texts and variables that a command gets: what no program can be given is refused. */
final class Texts {
  private Texts() {}

  /**
   * The text itself, if it can be handed to a program as it is.
   *
   * @param what names it in the error; the text itself may be secret and is never shown
   * @throws NullPointerException if it is null; {@code what} is the message
   * @throws IllegalArgumentException if it holds a NUL character or half of a surrogate pair
   */
  static String passable(String what, String text) {
    if (Objects.requireNonNull(text, what).indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          what + " holds a NUL character, which ends a text for a program; leave it out");
    }
    return encodable(what, text);
  }

  /** The text itself, if UTF-8 can express it: an encoder would put a question mark instead. */
  static String encodable(String what, String text) {
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (Character.isHighSurrogate(unit)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(unit)) {
        throw new IllegalArgumentException(
            what
                + " holds half of a surrogate pair, which has no UTF-8 form; build it from whole"
                + " characters, or pass bytes through input or a file");
      }
    }
    return text;
  }

  /** Adds a variable to a map, if it can be one. */
  static void putVariable(Map<String, String> variables, String name, String value) {
    if (name == null) {
      throw new IllegalArgumentException("env: a variable's name is null");
    }
    int equals = name.indexOf('=');
    if (name.isEmpty()) {
      throw new IllegalArgumentException("env: the name of a variable is empty");
    }
    if (equals >= 0) {
      // What follows may be a value that slipped into the name.
      throw new IllegalArgumentException(
          "env: a variable's name holds \"=\" after \""
              + name.substring(0, equals)
              + "\"; give name and value apart: env(name, value)");
    }
    passable("env: the name of a variable", name);
    if (value == null) {
      throw new IllegalArgumentException(
          "env: the value of " + name + " is null; leave the variable out");
    }
    variables.put(name, passable("env: the value of " + name, value));
  }
}
