package io.zett.sandbox.limits.attacks;

import io.zett.sandbox.Enforcement.Level;
import io.zett.sandbox.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the attacks of one run found, kept as a table for docs/limits.md. */
final class Findings {
  /** Where the files of the runs go, one for each environment. */
  private static final String FOLDER = "zett.test.findings";

  private static final String DOCUMENT = "zett.test.document";

  private Findings() {}

  static Path folder() {
    return Path.of(System.getProperty(FOLDER, "target/limits"));
  }

  /** The document with the tables. */
  static Path document() {
    return Path.of(System.getProperty(DOCUMENT, "../docs/limits.md"));
  }

  /** Writes the table of the environment that this is. */
  static void keep(Surroundings here, Map<Limit, Verdict> found) throws IOException {
    Files.createDirectories(folder());
    Files.writeString(folder().resolve(here.name() + ".md"), table(found));
  }

  static String table(Map<Limit, Verdict> found) {
    List<String> lines = new ArrayList<>();
    lines.add("| limit | kept by | for | level | what the attack could do |");
    lines.add("|---|---|---|---|---|");
    found.forEach(
        (limit, verdict) ->
            lines.add(
                "| `%s` | %s | %s | **%s** | %s |"
                    .formatted(
                        limit.wireName(),
                        verdict.mechanism(),
                        verdict.level() == Level.NONE ? "–" : "the " + verdict.scope().wireName(),
                        verdict.level().wireName(),
                        verdict.shown())));
    return String.join("\n", lines) + "\n";
  }
}
