package io.zett.sandbox.cases.confinement;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.PathExplanation;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program that asks for explanations and then has a command try each path. A JVM of its own,
 * since a home directory is that of a process.
 *
 * <p>Its words are {@code key=value} as those of {@link Caller}, and {@code path}. For each path it
 * writes a line of what was explained, then one of what the command met.
 */
final class Explained {

  /** Tells of each line's path what can be read of it, as a digest, and whether it is writable. */
  private static final String PROBE =
      """
      import hashlib, os, socket, stat, sys
      from urllib.parse import quote

      def read(path):
          kind = os.stat(path).st_mode
          if stat.S_ISSOCK(kind):
              with socket.socket(socket.AF_UNIX) as one:
                  one.connect(path)
              return "connected"
          if stat.S_ISDIR(kind):
              return "names:" + "/".join(quote(name) for name in sorted(os.listdir(path)))
          with open(path, "rb") as file:
              return "bytes:" + hashlib.sha1(file.read(65536)).hexdigest()

      def write(path):
          if os.path.isdir(path):
              with open(os.path.join(path, "zett-probe"), "xb"):
                  pass
              os.remove(os.path.join(path, "zett-probe"))
          elif os.path.exists(path):
              os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
          else:
              path = os.path.realpath(path)
              os.makedirs(os.path.dirname(path), exist_ok=True)
              with open(path, "xb"):
                  pass
              os.remove(path)
          return "yes"

      def tried(attempt, path):
          try:
              return attempt(path)
          except OSError:
              return "no"

      for path in sys.stdin.read().splitlines():
          print(tried(read, path), tried(write, path) if sys.argv[1] == "write" else "-")
      """;

  /**
   * What was said of a path, and what is so.
   *
   * @param inside what the command read; {@code no} for nothing
   * @param writes whether the command could write
   * @param outside what can be read there without a sandbox
   */
  record Row(
      String path,
      PathExplanation.Access access,
      PathExplanation.Presence presence,
      PathExplanation.Reason reason,
      String rule,
      String inside,
      boolean writes,
      String outside) {}

  private Explained() {}

  /** Explains, tries inside, and tries to read outside. */
  static List<Row> rows(Scene scene, List<String> options, List<String> paths) throws Exception {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
    words.addAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData"));
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), Explained.class.getName()));
    words.addAll(options);
    paths.forEach(path -> words.add("path=" + path));
    List<String> outside = outside(scene, paths);
    Unsandboxed.End end = Unsandboxed.end(Caller.start(scene, Map.of(), words));
    List<String> lines = end.out().lines().toList();
    if (lines.size() != 2 * paths.size() || outside.size() != paths.size()) {
      throw new AssertionError(end + " " + outside);
    }
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < paths.size(); i++) {
      String[] said = lines.get(i).split("\t", -1);
      String[] met = lines.get(paths.size() + i).split(" ", -1);
      rows.add(
          new Row(
              paths.get(i),
              PathExplanation.Access.valueOf(said[0]),
              PathExplanation.Presence.valueOf(said[1]),
              PathExplanation.Reason.valueOf(said[2]),
              said[3],
              met[0],
              met[1].equals("yes"),
              outside.get(i).split(" ", -1)[0]));
    }
    return rows;
  }

  private static List<String> outside(Scene scene, List<String> paths) throws IOException {
    Process process =
        new ProcessBuilder(Scene.PYTHON, "-c", PROBE, "read")
            .directory(scene.base.toFile())
            .start();
    try (var input = process.outputWriter(UTF_8)) {
      input.write(String.join("\n", paths));
    }
    try (var output = process.inputReader(UTF_8)) {
      return output.lines().toList();
    }
  }

  public static void main(String[] words) throws IOException {
    SandboxSession.Builder builder = SandboxSession.builder().scratchSize("16MiB");
    List<Path> paths = new ArrayList<>();
    for (String word : words) {
      String value = word.substring(word.indexOf('=') + 1);
      switch (word.substring(0, word.indexOf('='))) {
        case "workspace" -> builder.workspace(Path.of(value));
        case "allowRead" -> builder.allowRead(Path.of(value));
        case "denyRead" -> builder.denyRead(Path.of(value));
        case "writable" -> builder.writable(Path.of(value));
        case "protect" -> builder.protectDeveloperFiles(Boolean.parseBoolean(value));
        case "denyWrite" -> builder.denyWrite(Path.of(value));
        case "home" -> builder.home(HomeMode.of(value));
        case "network" -> builder.network(Boolean.parseBoolean(value));
        case "backend" -> builder.backend(SandboxBackend.of(value));
        case "path" -> paths.add(Path.of(value));
        default -> throw new IllegalArgumentException(word);
      }
    }
    try (SandboxSession session = builder.open()) {
      StringBuilder lines = new StringBuilder();
      for (PathExplanation each : session.sandbox().explain(paths.toArray(Path[]::new))) {
        lines.append(each.access()).append('\t').append(each.presence()).append('\t');
        lines.append(each.reason()).append('\t');
        lines.append(each.rule().map(Path::toString).orElse("")).append('\n');
      }
      String asked = String.join("\n", paths.stream().map(Path::toString).toList());
      lines.append(
          session
              .run(SandboxCommand.of(Scene.PYTHON, "-c", PROBE, "write").input(asked).checked())
              .stdout());
      System.out.writeBytes(lines.toString().getBytes(UTF_8));
      System.out.flush();
    }
  }
}
