package io.zett.sandbox.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Attacks a sandbox in every way that it knows.
 *
 * <pre>{@code
 * List<Finding> findings = AttackSuite.against(SandboxFactory.Default.class).run();
 * assertThat(findings).noneMatch(finding -> finding.result() == Finding.Result.WORKED);
 * }</pre>
 *
 * <p>What has a harmless form is run on the host first, in a copy of the scene: an attack that does
 * not even work there proves nothing, and counts as skipped. Most calls are made by a C program
 * that is compiled for the run; without a C compiler they are skipped. Nothing is left behind, in
 * {@code /tmp}, {@code /var/tmp}, {@code /dev/shm} and, as root, {@code /run} neither. Linux only.
 * Immutable and thread-safe.
 */
public final class AttackSuite {

  private static final int MINUTES = 10;

  private final Class<? extends SandboxFactory> factory;
  private final @Nullable Path directory;
  private final List<Integer> chosen;

  private AttackSuite(
      Class<? extends SandboxFactory> factory, @Nullable Path directory, List<Integer> chosen) {
    this.factory = factory;
    this.directory = directory;
    this.chosen = chosen;
  }

  /**
   * A suite that attacks the sessions of a factory.
   *
   * @param factory public, with a public constructor without parameters, on the class path
   */
  public static AttackSuite against(Class<? extends SandboxFactory> factory) {
    return new AttackSuite(
        factory, null, IntStream.range(0, Catalogue.all().size()).boxed().toList());
  }

  /** The same with its scene below another directory than {@code java.io.tmpdir}. */
  public AttackSuite in(Path other) {
    return new AttackSuite(factory, other, chosen);
  }

  /**
   * The same with fewer attacks. What a sandbox does not even claim to keep must be left out: those
   * attacks would be carried out on the host.
   */
  public AttackSuite only(Predicate<Attack> which) {
    return new AttackSuite(
        factory,
        directory,
        chosen.stream().filter(index -> which.test(Catalogue.all().get(index))).toList());
  }

  /** All attacks, in the order of the findings. */
  public static List<Attack> attacks() {
    return Catalogue.all();
  }

  /**
   * Runs the attacks in a JVM of its own, whose environment, home, keyring and open files hold what
   * is to be looked for. Takes some ten seconds on two cores.
   *
   * @throws IOException if the scene cannot be set, or the JVM fails; its error output is passed on
   */
  public List<Finding> run() throws IOException, InterruptedException {
    Path base =
        directory == null
            ? Files.createTempDirectory("zett-attack")
            : Files.createTempDirectory(directory, "zett-attack");
    try {
      return run(base.toRealPath());
    } finally {
      Scene.delete(base);
    }
  }

  private List<Finding> run(Path base) throws IOException, InterruptedException {
    String mark = "zett-" + UUID.randomUUID();
    String token = "token-" + UUID.randomUUID();
    Path probe = Probe.compile(Files.createDirectories(base.resolve("scene/probe")));
    Scene scene = new Scene(base.resolve("scene"));
    scene.plant(token, mark + "-victim");
    Path report = base.resolve("report");
    List<String> words = new ArrayList<>();
    words.addAll(
        List.of(
            "/bin/sh",
            "-c",
            "exec 7<\"$1/hidden/key\" 8<\"$1\" 9>>\"$1/file\"\n" + "shift\nexec \"$@\"",
            "sh",
            scene.outside.toString()));
    if (probe != null) {
      words.addAll(List.of(probe.toString(), "with-key", "zett-key", "SECRET"));
    }
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
    words.addAll(List.of("-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
    words.addAll(List.of(AttackRun.class.getName(), factory.getName(), base.toString()));
    words.addAll(List.of(mark, token, report.toString()));
    chosen.forEach(index -> words.add(index.toString()));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().putAll(EnvironmentAttacks.planted(token));
    builder.environment().put("HOME", scene.home.toString());
    Process process =
        builder
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(base.resolve("errors").toFile())
            .start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
        throw new IOException("the attacks failed: " + Files.readString(base.resolve("errors")));
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return findings(Files.readString(report, UTF_8));
  }

  private List<Finding> findings(String report) throws IOException {
    List<Finding> findings = new ArrayList<>();
    for (String line : report.lines().toList()) {
      String[] parts = line.split("\t", -1);
      Attack attack = Catalogue.all().get(Integer.parseInt(parts[0]));
      findings.add(new Finding(attack, Finding.Result.valueOf(parts[1]), parts[2]));
    }
    if (findings.size() != chosen.size()) {
      throw new IOException("findings of " + findings.size() + " attacks only");
    }
    return findings;
  }
}
