package io.zett.sandbox.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Another sandbox, with what it is told so that it isolates about as much.
 *
 * @param name its name, with the version where that is known
 * @param command the command line that runs {@code true} in it
 * @param view shell commands that change what is mounted for it, each followed by {@code &&}; empty
 *     for none
 */
record Peer(String name, List<String> command, String view) {
  private static final String SANDBOX_RUNTIME = "@anthropic-ai/sandbox-runtime";

  /** crun refuses a version 2 mount beside version 1 controllers. */
  private static final String WITHOUT_HYBRID =
      "{ ! mountpoint -q /sys/fs/cgroup/unified || umount /sys/fs/cgroup/unified; } && ";

  Peer {
    command = List.copyOf(command);
  }

  /** All its namespaces, and nothing mounted. */
  static Optional<Peer> unshare(Settings settings) throws IOException {
    return installed(
        settings,
        "unshare",
        "",
        "--user",
        "--map-root-user",
        "--mount",
        "--pid",
        "--fork",
        "--ipc",
        "--uts",
        "--net",
        "--cgroup",
        "true");
  }

  /** No network, a scratch directory and devices of its own, no capabilities, its filter. */
  static Optional<Peer> firejail(Settings settings) throws IOException {
    return installed(
        settings,
        "firejail",
        firejailsFiles(settings),
        "--quiet",
        "--noprofile",
        "--net=none",
        "--private-dev",
        "--private-tmp",
        "--caps.drop=all",
        "--seccomp",
        "true");
  }

  /** All namespaces and the whole system, read-only. */
  static Optional<Peer> nsjail(Settings settings) throws IOException {
    return installed(settings, "nsjail", "", "-Mo", "-q", "--chroot", "/", "--", "/bin/true");
  }

  /** crun or runc. */
  static Optional<Peer> container(Settings settings, String name, Path bundle) throws IOException {
    return installed(
        settings,
        name,
        name.equals("crun") ? WITHOUT_HYBRID : "",
        "run",
        "--bundle",
        bundle.toString(),
        "zett-bench");
  }

  /** The agent sandbox in Node, where it was fetched. */
  static Optional<Peer> node(Settings settings) throws IOException {
    Path folder = settings.peers();
    if (folder == null) {
      return Optional.empty();
    }
    Path modules = folder.resolve("node/node_modules");
    Path program = modules.resolve(".bin/srt");
    Path about = modules.resolve(SANDBOX_RUNTIME).resolve("package.json");
    if (!Files.isExecutable(program) || !Files.isReadable(about)) {
      return Optional.empty();
    }
    String version =
        Files.readAllLines(about).stream()
            .filter(line -> line.strip().startsWith("\"version\""))
            .findFirst()
            .map(Peer::number)
            .orElse("");
    return Optional.of(
        new Peer(SANDBOX_RUNTIME + version, List.of(program.toString(), "true"), ""));
  }

  /** Starts it again and again. */
  SpawnLoop.Builder spawnLoop(Settings settings) {
    SpawnLoop.Builder builder = settings.spawnLoop(command).withEnvironment();
    Path folder = settings.peers();
    if (folder != null) {
      builder.searching(folder.resolve("debian"));
    }
    return view.isEmpty()
        ? builder
        : builder.in(List.of("unshare", "-m", "sh", "-c", view + "exec \"$@\"", "sh"));
  }

  private static Optional<Peer> installed(
      Settings settings, String name, String view, String... arguments) throws IOException {
    Path program = program(settings, name).orElse(null);
    if (program == null) {
      return Optional.empty();
    }
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    return Optional.of(new Peer(name + version(settings, program), command, view));
  }

  /** It looks for its own files at fixed places, so a copy elsewhere must be seen there. */
  private static String firejailsFiles(Settings settings) {
    Path folder = settings.peers();
    if (folder == null || !Files.exists(folder.resolve("debian/usr/bin/firejail"))) {
      return "";
    }
    StringBuilder view = new StringBuilder();
    for (String part : List.of("usr", "etc")) {
      view.append(
          "mount -t overlay overlay -o lowerdir='%s':/%s /%s && "
              .formatted(folder.resolve("debian").resolve(part), part, part));
    }
    return view.toString();
  }

  private static String version(Settings settings, Path program) throws IOException {
    Path folder = settings.peers();
    return number(
        folder != null && program.startsWith(folder)
            ? Files.readString(folder.resolve("debian/" + program.getFileName() + ".version"))
            : Programs.firstLine(List.of(program.toString(), "--version")));
  }

  /** The first number with points in a text, after a blank; empty when there is none. */
  private static String number(String text) {
    String number = text.replaceFirst("^\\D*", "").strip().replaceFirst("[^\\d.].*$", "");
    return number.isEmpty() ? "" : " " + number;
  }

  /** The program in the peers' folder, else in PATH. */
  private static Optional<Path> program(Settings settings, String name) {
    List<Path> folders = new ArrayList<>();
    Path peers = settings.peers();
    if (peers != null) {
      folders.add(peers.resolve("debian/usr/bin"));
      folders.add(peers.resolve("debian/usr/sbin"));
    }
    String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
    return Stream.concat(folders.stream(), Stream.of(path.split(":")).map(Path::of))
        .map(folder -> folder.resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
