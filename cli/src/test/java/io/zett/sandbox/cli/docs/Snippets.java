package io.zett.sandbox.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * The Java blocks of a page: compiled together, then run one after another in a JVM whose current
 * directory is the examples' own, since they name files relative to it.
 */
final class Snippets {
  private static final String IMPORTS =
      """
      import io.zett.sandbox.*;
      import io.zett.sandbox.policyfile.*;
      import java.io.*;
      import java.nio.charset.*;
      import java.nio.file.*;
      import java.time.*;
      import java.util.*;
      import java.util.concurrent.*;
      """;

  private Snippets() {}

  /** What a block printed, or the trace of what it threw. */
  record Printed(String output, String failure) {}

  static void compile(List<Block> blocks, Path classes) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    List<String> options =
        List.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d", classes + "");
    List<JavaFileObject> sources = new ArrayList<>();
    blocks.forEach(block -> sources.add(source(block)));
    Boolean done = compiler.getTask(said, null, null, options, null, sources).call();
    assertThat(done).as(said.toString()).isTrue();
  }

  /** The name of a block's class. */
  private static String className(int line) {
    return "Line" + line;
  }

  private static JavaFileObject source(Block block) {
    String name = className(block.line());
    // As many lines above the block as in the page, so that the compiler's messages lead there.
    String head =
        (IMPORTS + "public final class %s { public static void run(String code) throws Exception {")
            .replace('\n', ' ')
            .formatted(name);
    String text = "\n".repeat(block.line() - 2) + head + "\n" + block.text() + "}}\n";
    URI uri = URI.create("string:///" + name + ".java");
    return new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }

  /** Runs them all in a JVM of their own; what each did is in {@code outputs}. */
  static ProcessBuilder process(List<Block> blocks, Path classes, Path folder, Path outputs) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    words.addAll(List.of("-Dstdout.encoding=UTF-8", "--enable-native-access=ALL-UNNAMED"));
    words.add("-Duser.home=" + folder.resolve("home"));
    words.addAll(List.of("-cp", classes + ":" + System.getProperty("java.class.path")));
    words.addAll(List.of(Snippets.class.getName(), outputs.toString()));
    blocks.forEach(block -> words.add(Integer.toString(block.line())));
    ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().putAll(Surroundings.environment(folder));
    return builder;
  }

  static Printed printed(Block block, Path outputs) throws IOException {
    Path failure = outputs.resolve(block.line() + ".failure");
    return new Printed(
        Files.readString(outputs.resolve(block.line() + ".out")),
        Files.exists(failure) ? Files.readString(failure) : "");
  }

  /** The folder for what is printed, then the lines of the blocks. */
  public static void main(String[] words) throws Exception {
    Path outputs = Path.of(words[0]);
    PrintStream terminal = System.out;
    for (String line : List.of(words).subList(1, words.length)) {
      Surroundings.renew(Path.of("").toAbsolutePath());
      ByteArrayOutputStream output = new ByteArrayOutputStream();
      System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
      try {
        Class.forName(className(Integer.parseInt(line)))
            .getMethod("run", String.class)
            .invoke(null, Surroundings.CODE);
      } catch (ReflectiveOperationException e) {
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace, true));
        Files.writeString(outputs.resolve(line + ".failure"), trace.toString());
      }
      System.setOut(terminal);
      Files.write(outputs.resolve(line + ".out"), output.toByteArray());
    }
  }
}
