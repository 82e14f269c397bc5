package io.zett.sandbox.policyfile;

import io.zett.sandbox.policyfile.Value.Scalar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Locale;

/** Numbers as YAML 1.2 writes them (core schema). */
final class Numerals {
  private static final int LONGEST = 40;
  private static final double MOST_SECONDS = 9e18;

  private Numerals() {}

  /** A whole number that fits. */
  static long whole(Scalar number, long most) {
    BigInteger value = integer(number);
    if (value.compareTo(BigInteger.valueOf(most)) > 0) {
      throw new IllegalArgumentException(shown(number) + " is above the most, " + most);
    }
    if (value.bitLength() > 31) {
      throw new IllegalArgumentException(shown(number) + " is below any number that is taken");
    }
    return value.longValueExact();
  }

  /** Bytes. */
  static long bytes(Scalar number) {
    BigInteger value = integer(number);
    if (value.bitLength() > 63) {
      throw new IllegalArgumentException(shown(number) + " is more bytes than any machine has");
    }
    return value.longValueExact();
  }

  /** A number with or without a fraction; it may be infinite or none. */
  static double decimal(Scalar number) {
    return switch (number.text().toLowerCase(Locale.ROOT)) {
      case ".inf", "+.inf" -> Double.POSITIVE_INFINITY;
      case "-.inf" -> Double.NEGATIVE_INFINITY;
      case ".nan" -> Double.NaN;
      default ->
          number.type() == Scalar.Type.WHOLE
              ? integer(number).doubleValue()
              : Double.parseDouble(number.text());
    };
  }

  /** A time, down to a nanosecond. */
  static Duration seconds(Scalar number) {
    double rough = decimal(number);
    // The negation also catches what is no number at all.
    if (!(rough > 0 && rough < MOST_SECONDS) || number.text().length() > LONGEST) {
      throw new IllegalArgumentException(
          shown(number) + " is no time; write seconds above 0, or none for no limit");
    }
    BigDecimal seconds =
        number.type() == Scalar.Type.WHOLE
            ? new BigDecimal(integer(number))
            : new BigDecimal(number.text());
    BigDecimal nanos = seconds.remainder(BigDecimal.ONE).movePointRight(9);
    Duration duration = Duration.ofSeconds(seconds.longValue(), nanos.longValue());
    if (duration.isZero()) {
      throw new IllegalArgumentException(
          shown(number) + " is less than a nanosecond; write seconds above 0, or none");
    }
    return duration;
  }

  private static BigInteger integer(Scalar number) {
    String text = number.text();
    if (text.length() > LONGEST) {
      throw new IllegalArgumentException("a number has at most 40 digits");
    }
    if (text.startsWith("0x")) {
      return new BigInteger(text.substring(2), 16);
    }
    return text.startsWith("0o") ? new BigInteger(text.substring(2), 8) : new BigInteger(text);
  }

  private static String shown(Scalar number) {
    String text = number.text();
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
  }
}
