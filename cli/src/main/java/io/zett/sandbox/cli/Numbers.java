package io.zett.sandbox.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Pattern;

/** Numbers as they are typed: plain digits, no exponents, no signs. */
final class Numbers {
  private static final Pattern DECIMAL = Pattern.compile("\\d{1,18}(\\.\\d*)?|\\.\\d+");
  private static final Pattern WHOLE = Pattern.compile("\\d+");

  private Numbers() {}

  static double decimal(String text) {
    return exact(text).doubleValue();
  }

  static long whole(String text) {
    if (!WHOLE.matcher(text).matches()) {
      throw new IllegalArgumentException("\"" + text + "\" is not a whole number");
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("\"" + text + "\" is too large", e);
    }
  }

  static int small(String text) {
    long number = whole(text);
    if (number > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("\"" + text + "\" is too large");
    }
    return (int) number;
  }

  /** Fractions allowed, down to a nanosecond. */
  static Duration seconds(String text) {
    BigDecimal seconds = exact(text);
    BigDecimal nanos = seconds.remainder(BigDecimal.ONE).movePointRight(9);
    Duration duration = Duration.ofSeconds(seconds.longValue(), nanos.longValue());
    if (duration.isZero()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no time; write seconds above 0, or none");
    }
    return duration;
  }

  private static BigDecimal exact(String text) {
    if (!DECIMAL.matcher(text).matches()) {
      throw new IllegalArgumentException("\"" + text + "\" is not a number such as 2 or 2.5");
    }
    return new BigDecimal(text.endsWith(".") ? text + "0" : text);
  }
}
