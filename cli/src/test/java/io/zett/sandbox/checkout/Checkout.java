package io.zett.sandbox.checkout;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * A made-up checkout with the real scripts. Its PATH holds a few tools of the system and a {@code
 * mvn} that counts its calls and puts a small program where the command would be.
 */
final class Checkout {
  private static final List<String> TOOLS =
      List.of(
          "bash",
          "env",
          "find",
          "readlink",
          "sed",
          "mkdir",
          "touch",
          "rm",
          "mv",
          "cp",
          "cmp",
          "flock",
          "sleep");

  /**
   * What the scripts start beside the command: that makes the cache for faster starts, and Spark's.
   */
  private static final List<String> PROGRAMS =
      List.of(
          "io.zett.sandbox.cli.Rehearsal",
          "io.zett.sandbox.mcp.Rehearsal",
          "io.zett.sandbox.spark.Main");

  final Path root;
  final Path bin;
  final Path engine;
  private final Path builds;
  private final Map<String, String> environment = new TreeMap<>();

  Checkout(Path folder) throws IOException {
    root = Files.createDirectories(folder.resolve("check out"));
    bin = Files.createDirectory(folder.resolve("bin"));
    engine = folder.resolve("an engine.jar");
    builds = folder.resolve("builds");
    Path real = Path.of("").toAbsolutePath().getParent();
    copy(real.resolve("zett"), root.resolve("zett"));
    Files.createDirectory(root.resolve("scripts"));
    for (String script : List.of("scripts/setup.bash", "scripts/start.bash")) {
      copy(real.resolve(script), root.resolve(script));
    }
    Files.createDirectory(root.resolve("spark"));
    copy(real.resolve("spark/jvm.options"), root.resolve("spark/jvm.options"));
    for (String source : List.of("core/src/main/A.java", "cli/src/main/B.java", "pom.xml")) {
      Files.createDirectories(root.resolve(source).getParent());
      Files.writeString(root.resolve(source), "");
    }
    for (String tool : TOOLS) {
      Files.createSymbolicLink(bin.resolve(tool), onPath(tool));
    }
    Path jar = folder.resolve("spoken.jar");
    writeProgram(jar);
    tool(
        "mvn",
        "printf 'a build\\n' >>'" + builds + "'; echo 'from Maven'; mkdir -p cli/target/lib");
    append("mvn", "cp '" + jar + "' cli/target/lib/zett-sandbox-cli.jar");
    append("mvn", "case \"$*\" in *,mcp*) mkdir -p mcp/target/lib");
    append("mvn", "cp '" + jar + "' mcp/target/lib/zett-sandbox-mcp.jar; esac");
    append("mvn", "case \"$*\" in *,spark*) mkdir -p spark/target/lib");
    append("mvn", "cp '" + jar + "' spark/target/lib/zett-sandbox-spark.jar");
    append(
        "mvn",
        ": >'" + engine + "'; printf '%s' '" + engine + "' >spark/target/spark.classpath; esac");
    tool("cc", "");
    environment.put("PATH", bin.toString());
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("ZETT_NO_INSTALL", "1");
  }

  /** Puts a shell script on the checkout's PATH. */
  void tool(String name, String script) throws IOException {
    Path file = bin.resolve(name);
    Files.writeString(file, "#!" + bin.resolve("bash") + "\n" + script + "\n");
    file.toFile().setExecutable(true, false);
  }

  private void append(String name, String script) throws IOException {
    Path file = bin.resolve(name);
    Files.writeString(file, Files.readString(file) + script + "\n");
  }

  void removeTool(String name) throws IOException {
    Files.delete(bin.resolve(name));
  }

  /** How often {@code mvn} was called. */
  long builds() throws IOException {
    return Files.exists(builds) ? Files.readAllLines(builds).size() : 0;
  }

  /** Begins {@code words} in {@code cwd}, with the checkout's PATH. */
  Process start(Path cwd, String... words) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(Arrays.asList(words)));
    builder.directory(cwd.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder.start();
  }

  /** Runs {@code ./zett} with these arguments and a closed standard input. */
  Said zett(String... arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of(root.resolve("zett").toString()));
    words.addAll(Arrays.asList(arguments));
    return Said.by(start(root, words.toArray(String[]::new)));
  }

  /** What a process printed, and its exit status. */
  record Said(int status, String out, String err) {
    static Said by(Process process) throws Exception {
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes());
      String err = new String(process.getErrorStream().readAllBytes());
      return new Said(process.waitFor(), out, err);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
  }

  private static Path onPath(String tool) throws IOException {
    for (String folder : List.of("/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin")) {
      Path file = Path.of(folder, tool);
      if (Files.isExecutable(file)) {
        return file.toRealPath();
      }
    }
    throw new IOException("there is no " + tool);
  }

  private static void writeProgram(Path jar) throws IOException {
    try (var in = SpokenArguments.class.getResourceAsStream("SpokenArguments.class")) {
      write(jar, Objects.requireNonNull(in).readAllBytes());
    }
  }

  /** Writes another program of the same name: it says nothing. */
  static void writeSilentProgram(Path jar) throws IOException {
    write(jar, calling(SpokenArguments.class.getName(), null));
  }

  private static void write(Path jar, byte[] spoken) throws IOException {
    String name = SpokenArguments.class.getName();
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, name);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      out.putNextEntry(entry(name));
      out.write(spoken);
      for (String program : PROGRAMS) {
        out.putNextEntry(entry(program));
        out.write(calling(program, name));
      }
    }
  }

  private static ZipEntry entry(String type) {
    return new ZipEntry(type.replace('.', '/') + ".class");
  }

  /** A class whose {@code main} calls that of another, or does nothing. */
  private static byte[] calling(String name, @Nullable String called) {
    MethodTypeDesc main = MethodTypeDesc.ofDescriptor("([Ljava/lang/String;)V");
    return ClassFile.of()
        .build(
            ClassDesc.of(name),
            type ->
                type.withFlags(ClassFile.ACC_PUBLIC)
                    .withMethodBody(
                        "main",
                        main,
                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                        code -> {
                          if (called != null) {
                            code.aload(0).invokestatic(ClassDesc.of(called), "main", main);
                          }
                          code.return_();
                        }));
  }
}
