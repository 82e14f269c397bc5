package io.zett.sandbox;

/**
 * How large a command's terminal is. Immutable.
 *
 * @param rows lines, 1 to 65,535
 * @param columns characters in a line, 1 to 65,535
 */
public record TerminalSize(int rows, int columns) {
  private static final int MOST = 65_535; // struct winsize, ioctl_tty(2)

  /**
   * Checks both.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public TerminalSize {
    check("rows", rows);
    check("columns", columns);
  }

  private static void check(String what, int value) {
    if (value < 1 || value > MOST) {
      throw new IllegalArgumentException(
          "terminal: " + value + " " + what + " is out of range; from 1 to " + MOST);
    }
  }
}
