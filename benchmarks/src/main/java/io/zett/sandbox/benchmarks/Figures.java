package io.zett.sandbox.benchmarks;

import java.util.Locale;

/** Numbers as people read them. */
final class Figures {
  private Figures() {}

  /** Three digits that count, at most two of them after the point, thousands set apart. */
  static String text(double value) {
    double size = Math.abs(value);
    if (size >= 100) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, size >= 10 ? "%.1f" : "%.2f", value);
  }

  /** A number of things, thousands set apart. */
  static String count(int things) {
    return String.format(Locale.ROOT, "%,d", things);
  }

  /** A figure with its unit. */
  static String text(double value, Unit unit) {
    return text(value) + ' ' + unit.symbol();
  }
}
