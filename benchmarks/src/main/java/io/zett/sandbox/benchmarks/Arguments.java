package io.zett.sandbox.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code ./bench} hands on.
 *
 * @param sections what to measure, in the order of {@link Sections}
 * @param settings how
 * @param out where the files go
 */
record Arguments(List<Section> sections, Settings settings, Path out) {

  /**
   * {@code --spawn-loop FILE --visible DIR --out DIR [--quick] [--peers DIR] [SECTION...] --
   * [ZETT...]}, the last ones being the command line of zett.
   *
   * @throws IllegalArgumentException if they are not so
   */
  static Arguments of(String... words) {
    Path spawnLoop = null;
    Path visible = null;
    Path out = null;
    Path peers = null;
    boolean quick = false;
    List<String> names = new ArrayList<>();
    List<String> zett = new ArrayList<>();
    for (int i = 0; i < words.length; i++) {
      switch (words[i]) {
        case "--quick" -> quick = true;
        case "--spawn-loop" -> spawnLoop = path(words, ++i);
        case "--visible" -> visible = path(words, ++i);
        case "--out" -> out = path(words, ++i);
        case "--peers" -> peers = path(words, ++i);
        case "--" -> {
          zett.addAll(List.of(words).subList(i + 1, words.length));
          i = words.length;
        }
        default -> names.add(words[i]);
      }
    }
    return new Arguments(
        sections(names),
        new Settings(
            quick,
            required(spawnLoop, "--spawn-loop"),
            required(visible, "--visible"),
            peers,
            zett),
        required(out, "--out"));
  }

  private static Path path(String[] words, int at) {
    if (at >= words.length) {
      throw new IllegalArgumentException(words[at - 1] + " needs a value");
    }
    return Path.of(words[at]).toAbsolutePath();
  }

  private static Path required(@Nullable Path value, String option) {
    if (value == null) {
      throw new IllegalArgumentException(option + " is missing");
    }
    return value;
  }

  private static List<Section> sections(List<String> names) {
    if (!Sections.names().containsAll(names)) {
      throw new IllegalArgumentException(
          "sections are " + String.join(", ", Sections.names()) + "; not all of " + names);
    }
    return Sections.ALL.stream()
        .filter(section -> names.isEmpty() || names.contains(section.name()))
        .toList();
  }
}
