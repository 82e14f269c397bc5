package io.zett.sandbox.benchmarks;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Bars that grow to the right or to the left from the line of bubblewrap's own time, on a
 * logarithmic scale, since the slowest takes a hundred times as long as the fastest.
 */
final class Chart {
  private static final int WIDTH = 860;
  private static final int LABELS = 300;
  private static final int RIGHT = 70;
  private static final int TOP = 64;
  private static final int STEP = 30;
  private static final int BAR = 18;
  private static final int BOTTOM = 40;
  private static final double[] TICKS = {0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500};

  private final StringBuilder svg = new StringBuilder();
  private final List<Results.Bar> bars;
  private final double least;
  private final double most;

  private Chart(List<Results.Bar> bars) {
    this.bars = bars.stream().sorted(Comparator.comparingDouble(Results.Bar::ratio)).toList();
    // From one tick to another, so that the first and the last bar end inside.
    this.least = tickAtMost(Math.min(0.5, this.bars.getFirst().ratio()));
    this.most = tickAtLeast(Math.max(2, this.bars.getLast().ratio()));
  }

  /** An SVG image; at least one bar. */
  static String of(List<Results.Bar> bars) {
    return new Chart(bars).draw();
  }

  private String draw() {
    int height = TOP + bars.size() * STEP + BOTTOM;
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
            + " font-family=\"system-ui, sans-serif\" font-size=\"13\">",
        WIDTH, height);
    add("<title>Time for one command, as a multiple of bubblewrap's</title>");
    add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, height);
    text(16, 26, "start", "#1f2328", 16, "Time for one command, as a multiple of bubblewrap's");
    text(16, 46, "start", "#59636e", 12, "logarithmic scale; less is better; medians of pairs");
    for (double tick : TICKS) {
      if (tick >= least && tick <= most) {
        tick(tick, height - BOTTOM);
      }
    }
    for (int i = 0; i < bars.size(); i++) {
      bar(bars.get(i), TOP + i * STEP);
    }
    return svg.append("</svg>\n").toString();
  }

  private void tick(double value, int bottom) {
    boolean one = value == 1;
    add(
        "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\" stroke-width=\"%s\"/>",
        x(value), TOP - 6, x(value), bottom, one ? "#59636e" : "#e5e8eb", one ? "1.5" : "1");
    text(x(value), bottom + 16, "middle", "#59636e", 11, label(value));
    if (one) {
      text(x(value), bottom + 31, "middle", "#59636e", 11, "bubblewrap");
    }
  }

  private void bar(Results.Bar bar, int top) {
    boolean ours = bar.name().startsWith("Zett");
    double from = Math.min(x(1), x(bar.ratio()));
    double width = Math.max(1, Math.abs(x(bar.ratio()) - x(1)));
    add(
        "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"/>",
        from, top, width, BAR, ours ? "#0b6e4f" : "#8c9aa8");
    text(LABELS - 12, top + 13, "end", "#1f2328", 13, bar.name());
    boolean left = bar.ratio() < 1;
    text(
        left ? from - 5 : from + width + 5,
        top + 13,
        left ? "end" : "start",
        "#1f2328",
        12,
        label(bar.ratio()));
  }

  private static String label(double ratio) {
    return (ratio == Math.rint(ratio)
            ? String.format(Locale.ROOT, "%.0f", ratio)
            : Figures.text(ratio))
        + "×";
  }

  private double x(double ratio) {
    double share = Math.log(ratio / least) / Math.log(most / least);
    return LABELS + share * (WIDTH - LABELS - RIGHT);
  }

  private static double tickAtMost(double value) {
    double tick = TICKS[0];
    for (double each : TICKS) {
      tick = each < value ? each : tick;
    }
    return tick;
  }

  private static double tickAtLeast(double value) {
    for (double each : TICKS) {
      if (each > value) {
        return each;
      }
    }
    return value;
  }

  private void text(double x, int y, String anchor, String color, int size, String words) {
    add(
        "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\" fill=\"%s\" font-size=\"%d\">%s</text>",
        x, y, anchor, color, size, words.replace("&", "&amp;").replace("<", "&lt;"));
  }

  @SuppressWarnings("AnnotateFormatMethod") // private, and each call has a constant in it
  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
