package io.zett.sandbox;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/** Reads the constant of an enumeration from the word that people type for it. */
final class Choice {
  private Choice() {}

  /** The word for a constant on the command line and in JSON, such as {@code cpu_seconds}. */
  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Case is ignored and {@code -} stands for {@code _}; {@code option} begins the error's text. */
  static <E extends Enum<E>> E of(Class<E> type, String option, String text) {
    String wanted =
        Objects.requireNonNull(text, option).strip().toLowerCase(Locale.ROOT).replace('-', '_');
    E[] all = type.getEnumConstants();
    for (E constant : all) {
      if (word(constant).equals(wanted)) {
        return constant;
      }
    }
    String words = Arrays.stream(all).map(Choice::word).collect(Collectors.joining(", "));
    throw new IllegalArgumentException(
        option + ": \"" + text + "\" is not one of " + words + suggestion(all, wanted));
  }

  private static <E extends Enum<E>> String suggestion(E[] all, String wanted) {
    String best = "";
    int least = Integer.MAX_VALUE;
    for (E constant : all) {
      int distance = distance(word(constant), wanted);
      if (distance < least) {
        least = distance;
        best = word(constant);
      }
    }
    // Farther than a third of the word it is another word, and no typing error.
    boolean near = least <= Math.max(1, best.length() / 3);
    return near ? "; did you mean \"" + best + "\"?" : "";
  }

  /** Levenshtein distance; a typed word is cut, so that a huge one costs nothing. */
  private static int distance(String word, String typed) {
    String other = typed.length() > 40 ? typed.substring(0, 40) : typed;
    int[] row = new int[other.length() + 1];
    Arrays.setAll(row, j -> j);
    for (int i = 1; i <= word.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int substitute = diagonal + (word.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substitute, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[other.length()];
  }
}
