package io.zett.sandbox;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Reads the constant of an enumeration from the word that people type for it. */
final class Choice {

  /** What others call the same; suggested, never taken. */
  private static final Map<String, String> OTHERWISE =
      Map.ofEntries(
          Map.entry("bwrap", "bubblewrap"),
          Map.entry("sandbox_exec", "seatbelt"),
          Map.entry("none", "passthrough"),
          Map.entry("default", "auto"),
          Map.entry("off", "none"),
          Map.entry("false", "none"),
          Map.entry("no", "none"),
          Map.entry("on", "unrestricted"),
          Map.entry("true", "unrestricted"),
          Map.entry("yes", "unrestricted"),
          Map.entry("host", "unrestricted"),
          Map.entry("full", "unrestricted"),
          Map.entry("tmp", "private"),
          Map.entry("empty", "private"));

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
    String other = OTHERWISE.get(wanted);
    for (E constant : all) {
      if (word(constant).equals(other)) {
        return meant(word(constant));
      }
    }
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
    return near ? meant(best) : "";
  }

  private static String meant(String word) {
    return "; did you mean \"" + word + "\"?";
  }

  /**
   * How many letters are wrong, missing, too many or swapped with the next. A typed word is cut, so
   * that a huge one costs nothing.
   */
  private static int distance(String word, String typed) {
    String other = typed.length() > 40 ? typed.substring(0, 40) : typed;
    int[][] least = new int[word.length() + 1][other.length() + 1];
    for (int i = 0; i <= word.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        if (i == 0 || j == 0) {
          least[i][j] = i + j;
          continue;
        }
        boolean same = word.charAt(i - 1) == other.charAt(j - 1);
        least[i][j] =
            Math.min(
                least[i - 1][j - 1] + (same ? 0 : 1),
                Math.min(least[i - 1][j], least[i][j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && word.charAt(i - 1) == other.charAt(j - 2)
                && word.charAt(i - 2) == other.charAt(j - 1);
        if (swapped) {
          least[i][j] = Math.min(least[i][j], least[i - 2][j - 2] + 1);
        }
      }
    }
    return least[word.length()][other.length()];
  }
}
