package io.zett.sandbox.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@code zett batch --master} in a JVM of its own, with executors in theirs: their Spark is this
 * test's class path, linked into a folder as an installation has it.
 */
final class Cluster {
  /** Two executor JVMs with a core and 1 GB each. */
  static final String MASTER = "local-cluster[2,1,1024]";

  /** A job that is larger cannot be sent to an executor. */
  static final int MOST_MEBIBYTES = 1;

  private static final int SECONDS = 300;
  private final Path folder;
  private final Path temporary;
  private final Path home;
  private final String classes;

  Cluster(Path folder) throws IOException {
    this.folder = folder;
    temporary = Files.createDirectories(folder.resolve("tmp"));
    home = folder.resolve("spark");
    classes = SparkHome.make(home);
  }

  private static String classPath() {
    return System.getProperty("java.class.path");
  }

  /** Begins {@code zett batch} with these words; its own words go into the file {@code err}. */
  Process batch(String... words) throws IOException {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of(System.getProperty("basedir", "")).toAbsolutePath() + "/jvm.options",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temporary,
                "-Dspark.rpc.message.maxSize=" + MOST_MEBIBYTES,
                "-Dspark.executor.extraClassPath=" + classes,
                "-Dspark.executor.extraJavaOptions=-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
                    + " -Djava.io.tmpdir="
                    + temporary,
                "-cp",
                classPath(),
                Main.class.getName(),
                "batch"));
    line.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toFile());
    builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    builder.redirectOutput(folder.resolve("out").toFile());
    builder.redirectError(folder.resolve("err").toFile());
    Map<String, String> environment = builder.environment();
    environment.put("SPARK_HOME", home.toString());
    environment.put("SPARK_SCALA_VERSION", "2.13");
    environment.put("SPARK_LOCAL_IP", "127.0.0.1");
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    return builder.start();
  }

  /** Waits for its end; the exit status. */
  int end(Process process) throws Exception {
    assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).as(said()).isTrue();
    return process.exitValue();
  }

  String said() throws IOException {
    return Files.readString(folder.resolve("err"));
  }

  /** What it said, but that a busy machine's executors were slow to come. */
  List<String> complaints() throws IOException {
    return said().lines().filter(line -> !line.startsWith("zett: waiting for an exec")).toList();
  }

  /** The executor JVMs among what a process has started. */
  static List<ProcessHandle> executors(Process process) {
    return process.descendants().filter(Cluster::isExecutor).toList();
  }

  private static boolean isExecutor(ProcessHandle process) {
    try {
      byte[] line = Files.readAllBytes(Path.of("/proc/" + process.pid() + "/cmdline"));
      List<String> words = List.of(new String(line, StandardCharsets.UTF_8).split("\0"));
      return words.getFirst().endsWith("java")
          && words.contains("org.apache.spark.executor.CoarseGrainedExecutorBackend");
    } catch (IOException e) {
      return false; // It has ended.
    }
  }

  /** Waits until a file is there, as long as a process runs that is to make it. */
  void await(Path file, Process process) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!Files.exists(file)) {
      assertThat(process.isAlive()).as(file + " is not there; " + said()).isTrue();
      assertThat(System.nanoTime()).as(file + " does not come").isLessThan(deadline);
      process.waitFor(50, TimeUnit.MILLISECONDS);
    }
  }

  static void awaitEnd(ProcessHandle process) throws Exception {
    process.onExit().get(SECONDS, TimeUnit.SECONDS);
  }

  /**
   * What Spark and the library have left in the temporary folder; not the native libraries that a
   * JVM unpacked there before it was killed.
   */
  List<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      return files
          .filter(file -> !file.getFileName().toString().matches("lib.*\\.so(\\.lck)?"))
          .toList();
    }
  }
}
