package io.zett.sandbox.portable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The system's list of processes, as {@code ps} prints it with the options of POSIX: there is no
 * other way to process groups and memory that needs no call of the system's own.
 *
 * @param ps the program
 */
public record ProcessTable(Path ps) {
  private static final List<Path> PLACES = List.of(Path.of("/bin/ps"), Path.of("/usr/bin/ps"));
  private static final int COLUMNS = 4;

  /**
   * The rest of a line, where the name of the state begins with this, belongs to a dead process.
   */
  private static final String DEAD = "Z";

  /**
   * One process.
   *
   * @param pid its number
   * @param group the number of its process group
   * @param residentBytes what it has in memory, shared pages included
   */
  record Line(long pid, long group, long residentBytes) {}

  /** That of this machine; empty where the program is not in one of the usual places. */
  public static Optional<ProcessTable> find() {
    return PLACES.stream().filter(Files::isExecutable).findFirst().map(ProcessTable::new);
  }

  /** All processes that are alive. */
  List<Line> read() throws IOException {
    return parse(
        Start.output(
            List.of(
                ps.toString(), "-A", "-o", "pid=", "-o", "pgid=", "-o", "rss=", "-o", "stat=")));
  }

  static List<Line> parse(String text) {
    List<Line> lines = new ArrayList<>();
    for (String line : text.lines().toList()) {
      String[] words = line.strip().split("\\s+");
      if (words.length >= COLUMNS && !words[3].startsWith(DEAD)) {
        try {
          lines.add(
              new Line(
                  Long.parseLong(words[0]),
                  Long.parseLong(words[1]),
                  1024 * Long.parseLong(words[2])));
        } catch (NumberFormatException e) {
          // No process: a warning of the program itself.
        }
      }
    }
    return lines;
  }
}
