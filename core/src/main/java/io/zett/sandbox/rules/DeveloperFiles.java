package io.zett.sandbox.rules;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The files that the host executes or obeys by itself, which a preset keeps unwritable. The list is
 * data: the resource {@code developer-files.txt}, where the criterion is written, too.
 */
public final class DeveloperFiles {
  private static final String RESOURCE = "developer-files.txt";

  /** To git their presence alone is an error, so nothing can stand where they are missing. */
  private static final Set<String> WITHOUT_STAND_IN = Set.of("commondir", "gitdir");

  private static final List<DeveloperFile> ENTRIES = load();
  private static final Set<String> DIRECTORIES = directories();

  private DeveloperFiles() {}

  /** The entries, in the order of the resource. */
  public static List<DeveloperFile> entries() {
    return ENTRIES;
  }

  /** Whether an empty directory stands where this is missing; else an empty file does. */
  public static boolean standsAsDirectory(String name) {
    return DIRECTORIES.contains(name);
  }

  /** Whether nothing can stand where this is missing: it is watched for instead. */
  public static boolean hasNoStandIn(String name) {
    return WITHOUT_STAND_IN.contains(name);
  }

  static List<DeveloperFile> parse(String text) {
    List<DeveloperFile> entries = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      int comment = line.indexOf(" # ");
      if (comment < 0) {
        throw new IllegalArgumentException("no \" # what it is\" in the line \"" + line + "\"");
      }
      entries.add(
          DeveloperFile.parse(
              line.substring(0, comment).strip(), line.substring(comment + 3).strip()));
    }
    return List.copyOf(entries);
  }

  private static Set<String> directories() {
    Set<String> names = new TreeSet<>();
    for (DeveloperFile entry : ENTRIES) {
      if (entry.directory()) {
        names.add(entry.path().substring(entry.path().lastIndexOf('/') + 1));
      }
    }
    return Set.copyOf(names);
  }

  private static List<DeveloperFile> load() {
    try (InputStream resource = DeveloperFiles.class.getResourceAsStream(RESOURCE)) {
      byte[] bytes = Objects.requireNonNull(resource, RESOURCE).readAllBytes();
      return parse(new String(bytes, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
