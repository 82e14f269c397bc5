package io.zett.sandbox;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers of bytes as GNU coreutils writes them: {@code K} and {@code KiB} are 1024, {@code KB} is
 * 1000, and so on for M, G, T, P, E, Z, Y, R and Q. Case is ignored, fractions are rounded down.
 */
final class Sizes {
  private static final String PREFIXES = "kmgtpezyrq";
  private static final int LONGEST = 40;
  private static final Pattern SIZE =
      Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)\\s*([a-z]*)");
  private static final Pattern UNIT = Pattern.compile("([" + PREFIXES + "]?)(ib?|b?)");

  private Sizes() {}

  /**
   * The number of bytes.
   *
   * @throws IllegalArgumentException if it is no size or does not fit a long; {@code option} begins
   *     the text
   */
  static long parse(String option, String text) {
    String trimmed = Objects.requireNonNull(text, option).strip();
    if (trimmed.length() > LONGEST) {
      throw new IllegalArgumentException(option + ": a size has at most 40 characters");
    }
    Matcher size = SIZE.matcher(trimmed.toLowerCase(Locale.ROOT));
    if (!size.matches()) {
      throw new IllegalArgumentException(
          option
              + ": \""
              + text
              + "\" is no size; write a number and a unit, such as "
              + "\"512M\" (2^20 bytes each) or \"512MB\" (10^6 bytes each)"
              + (trimmed.startsWith("-") ? "; it cannot be negative" : ""));
    }
    BigInteger bytes =
        new BigDecimal(number(size.group(1)))
            .multiply(new BigDecimal(factor(option, text, size.group(2))))
            .toBigInteger();
    if (bytes.bitLength() > 63) {
      throw new IllegalArgumentException(
          option + ": \"" + text + "\" is more bytes than any machine has");
    }
    return bytes.longValueExact();
  }

  /** Such as {@code 512 MiB}, {@code 1.5 GiB} or {@code 1000 bytes}; exact. */
  static String format(long bytes) {
    int power = 0;
    // Two binary digits after the point at most (.5, .25, .75): more is easier read in bytes.
    for (int next = 1; next <= 6; next++) {
      long unit = 1L << (10 * next);
      if (bytes < unit || bytes % (unit / 4) != 0) {
        break;
      }
      power = next;
    }
    if (power == 0) {
      return bytes + (bytes == 1 ? " byte" : " bytes");
    }
    String number =
        BigDecimal.valueOf(bytes)
            .divide(BigDecimal.valueOf(1L << (10 * power)))
            .stripTrailingZeros()
            .toPlainString();
    return number + " " + Character.toUpperCase(PREFIXES.charAt(power - 1)) + "iB";
  }

  private static String number(String digits) {
    return digits.endsWith(".") ? digits + "0" : digits;
  }

  private static BigInteger factor(String option, String text, String unit) {
    Matcher parts = UNIT.matcher(unit);
    boolean known =
        parts.matches() && !(parts.group(1).isEmpty() && parts.group(2).startsWith("i"));
    if (!known) {
      throw new IllegalArgumentException(
          option
              + ": \""
              + text
              + "\" has no unit that is known; the units are K, M, G, T, P, E (powers of 1024)"
              + " and KB, MB, GB, TB, PB, EB (powers of 1000)");
    }
    int power = parts.group(1).isEmpty() ? 0 : PREFIXES.indexOf(parts.group(1)) + 1;
    boolean decimal = power > 0 && parts.group(2).equals("b");
    return BigInteger.valueOf(decimal ? 1000 : 1024).pow(power);
  }
}
