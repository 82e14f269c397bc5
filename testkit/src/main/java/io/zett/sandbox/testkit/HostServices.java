package io.zett.sandbox.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What runs and lies on the host while it is attacked: servers, a process to be ended, and files in
 * the directories that everybody shares. Closing removes all of it.
 */
final class HostServices implements AutoCloseable {

  /** Where sockets are, and how attacks call the place. */
  static final String[][] PATHS = {
    {"the directory outside", "$H/s.sock"},
    {"the home", "$HOME/s.sock"},
    {"a denied directory", "$H/hidden/s.sock"},
    {"/tmp", "$TEMP.sock"},
    {"/var/tmp", "$VARTEMP.sock"},
    {"/dev/shm", "$SHARED.sock"},
    {"/run", "$RUN.sock"}
  };

  private static final List<String> SHARED_DIRECTORIES =
      List.of("/tmp", "/var/tmp", "/dev/shm", "/run");

  private final Map<String, String> variables = new LinkedHashMap<>();
  private final List<Path> files = new ArrayList<>();
  private final String victimMark;
  private @Nullable Process server;
  private @Nullable Process victim;

  /**
   * Starts them.
   *
   * @param mark a word that nothing else on this machine holds
   */
  HostServices(Scene scene, @Nullable Path probe, String mark) throws IOException {
    victimMark = mark + "-victim";
    variables.put("W", scene.workspace.toString());
    variables.put("H", scene.outside.toString());
    variables.put("A", scene.also.toString());
    variables.put("ABSTRACT", "@" + mark);
    String[] names = {"TEMP", "VARTEMP", "SHARED", "RUN"};
    for (int i = 0; i < names.length; i++) {
      Path file = Path.of(SHARED_DIRECTORIES.get(i), mark);
      variables.put(names[i], file.toString());
      if (Files.isWritable(file.getParent())) {
        Files.writeString(file, "of the host\n");
        files.add(file);
        files.add(Path.of(file + ".sock"));
      }
    }
    if (probe != null) {
      variables.put("P", probe.toString());
      start(scene, probe, mark);
    }
  }

  private void start(Scene scene, Path probe, String mark) throws IOException {
    List<String> words = new ArrayList<>(List.of(probe.toString(), "serve"));
    for (String[] path : PATHS) {
      String at = path[1].replace("$HOME", scene.home.toString());
      for (Map.Entry<String, String> variable : variables.entrySet()) {
        at = at.replace("$" + variable.getKey(), variable.getValue());
      }
      words.add("stream:" + at);
    }
    int ports = words.size() - 2;
    words.addAll(List.of("tcp:0", "tcp6:0", "udp:0"));
    words.add("dgram:" + scene.outside.resolve("d.sock"));
    words.add("seq:" + scene.outside.resolve("q.sock"));
    words.addAll(List.of("stream:@" + mark, "dgram:@" + mark + "d"));
    words.addAll(notWhereTheyWereBound(scene.outside));
    for (String directory : List.of("hidden", "young", "far/away")) {
      Files.createDirectories(scene.outside.resolve(directory));
    }
    Process started =
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    server = started;
    BufferedReader lines = started.inputReader(UTF_8);
    String[] bound = String.valueOf(lines.readLine()).split(" ");
    if (bound.length < ports + 3) {
      throw new IOException("the host's servers do not start");
    }
    variables.put("PORT", bound[ports]);
    variables.put("PORT6", bound[ports + 1]);
    variables.put("UDP", bound[ports + 2]);
    variables.put("PORTHEX", "%04X".formatted(Integer.parseInt(bound[ports])));
    victim =
        new ProcessBuilder(probe.toString(), "linger", victimMark, "3000")
            .directory(Objects.requireNonNull(probe.getParent()).toFile())
            .start();
    variables.put("VICTIM", Long.toString(victim.pid()));
  }

  /** Sockets that no table of the host's shows where they are. */
  private static List<String> notWhereTheyWereBound(Path outside) {
    List<String> words = new ArrayList<>();
    for (String type : List.of("stream", "dgram", "seq")) {
      Path bound = outside.resolve(type + ".young");
      words.addAll(List.of(type + ":" + bound, "move", bound.toString()));
      words.add(outside.resolve("far/away/" + type).toString());
    }
    words.add("stream:" + outside.resolve("young/s.sock"));
    words.addAll(
        List.of("move", outside.resolve("young").toString(), outside.resolve("old").toString()));
    words.addAll(List.of("enter", outside.toString(), "stream:relative.sock", "enter", "/"));
    words.addAll(List.of("leave-network", "stream:" + outside.resolve("foreign.sock")));
    return words;
  }

  /** What scripts have to know. */
  Map<String, String> variables() {
    return variables;
  }

  String victimMark() {
    return victimMark;
  }

  /** Whether the process that was to be ended is still there and runs. */
  boolean victimIsWell() throws IOException {
    Process process = victim;
    return process == null
        || (process.isAlive()
            && !Files.readString(Path.of("/proc/" + process.pid() + "/stat")).contains(") T "));
  }

  @Override
  public void close() throws IOException {
    for (Process process : new Process[] {server, victim}) {
      if (process != null) {
        process.destroyForcibly();
      }
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}
