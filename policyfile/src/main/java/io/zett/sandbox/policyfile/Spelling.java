package io.zett.sandbox.policyfile;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that was probably meant. */
final class Spelling {
  private static final int LONGEST = 40;

  private Spelling() {}

  /**
   * The nearest of some words, if it is near. Case, {@code -} and {@code _} are no difference: the
   * command line spells the same names with them.
   */
  static Optional<String> nearest(String typed, Collection<String> words) {
    if (typed.length() > LONGEST) {
      return Optional.empty();
    }
    String wanted = plain(typed);
    return words.stream()
        .filter(word -> edits(plain(word), wanted) <= Math.max(1, word.length() / 3))
        .min(Comparator.comparingInt(word -> edits(plain(word), wanted)));
  }

  private static String plain(String word) {
    return word.toLowerCase(Locale.ROOT).replaceAll("[-_ ]", "");
  }

  /**
   * Letters to insert, leave out, replace, or exchange with the next (optimal string alignment).
   */
  private static int edits(String from, String to) {
    int[][] table = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          table[i][j] = i + j;
          continue;
        }
        boolean same = from.charAt(i - 1) == to.charAt(j - 1);
        int least = table[i - 1][j - 1] + (same ? 0 : 1);
        least = Math.min(least, 1 + Math.min(table[i - 1][j], table[i][j - 1]));
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          least = Math.min(least, 1 + table[i - 2][j - 2]);
        }
        table[i][j] = least;
      }
    }
    return table[from.length()][to.length()];
  }
}
