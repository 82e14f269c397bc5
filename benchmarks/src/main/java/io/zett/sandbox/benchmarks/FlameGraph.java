package io.zett.sandbox.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Stacks, and how often each was seen: a rectangle is as wide as its share, and stands on its
 * caller. Not thread-safe.
 */
final class FlameGraph {
  private static final int WIDTH = 1200;
  private static final int TOP = 40;
  private static final int ROW = 18;
  private static final double LEAST_WIDTH = 1;
  private static final double LETTER = 6.6;

  private final Frame all = new Frame("all");
  private final StringBuilder svg = new StringBuilder();

  private static final class Frame {
    private final String name;
    private final Map<String, Frame> callees = new TreeMap<>();
    private long count;

    Frame(String name) {
      this.name = name;
    }

    int depth() {
      return 1 + callees.values().stream().mapToInt(Frame::depth).max().orElse(0);
    }
  }

  /** Adds one sighting, the outermost caller first. */
  void add(List<String> stack) {
    Frame at = all;
    at.count++;
    for (String name : stack) {
      at = at.callees.computeIfAbsent(name, Frame::new);
      at.count++;
    }
  }

  boolean isEmpty() {
    return all.count == 0;
  }

  /** An SVG image. */
  String draw(String title) {
    int height = TOP + all.depth() * ROW + ROW;
    svg.setLength(0);
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
            + " font-family=\"ui-monospace, monospace\" font-size=\"11\">",
        WIDTH, height);
    add("<title>%s</title>", escaped(title));
    add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, height);
    add("<text x=\"8\" y=\"20\" font-size=\"14\" fill=\"#1f2328\">%s</text>", escaped(title));
    draw(all, 0, height - ROW);
    return svg.append("</svg>\n").toString();
  }

  private void draw(Frame frame, double x, int bottom) {
    double width = (double) WIDTH * frame.count / all.count;
    if (width < LEAST_WIDTH) {
      return;
    }
    double percent = 100.0 * frame.count / all.count;
    add("<g><title>%s: %.1f %%</title>", escaped(frame.name), percent);
    add(
        "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\" stroke=\"#ffffff\"/>",
        x, bottom - ROW, width, ROW, color(frame.name));
    int letters = (int) (width / LETTER) - 1;
    if (letters > 2) {
      String shown = frame.name.substring(0, Math.min(letters, frame.name.length()));
      add(
          "<text x=\"%.1f\" y=\"%d\" fill=\"#1f2328\">%s</text>",
          x + 3, bottom - 5, escaped(shown));
    }
    add("</g>");
    double at = x;
    for (Frame callee : frame.callees.values()) {
      draw(callee, at, bottom - ROW);
      at += (double) WIDTH * callee.count / all.count;
    }
  }

  /** System calls, the library, and all else. */
  private static String color(String name) {
    if (name.startsWith(Profile.SYSTEM_CALL)) {
      return "#f2b179";
    }
    return name.startsWith("zett.") ? "#9bd3b8" : "#d5dbe1";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  @SuppressWarnings("AnnotateFormatMethod") // private, and each call has a constant in it
  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
