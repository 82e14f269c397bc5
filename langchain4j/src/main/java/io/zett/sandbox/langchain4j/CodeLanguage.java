package io.zett.sandbox.langchain4j;

import java.nio.file.Path;
import java.util.List;

/** A language of code that a model writes, and the program that runs it. */
public enum CodeLanguage {
  /** Run by the {@code python3} of the search path. */
  PYTHON("main.py"),
  /** Run by the {@code node} of the search path, as a CommonJS module. */
  JAVASCRIPT("main.js"),
  /** One source file, run by the launcher of the Java that runs this program. */
  JAVA("Main.java"),
  /** Run by {@code /bin/sh}. */
  SHELL("main.sh");

  private final String fileName;

  CodeLanguage(String fileName) {
    this.fileName = fileName;
  }

  /** The name that the code gets as a file. */
  String fileName() {
    return fileName;
  }

  /** The program and its arguments before the file. */
  List<String> program() {
    return switch (this) {
      case PYTHON -> List.of("python3");
      case JAVASCRIPT -> List.of("node");
      case JAVA ->
          // One short run: the second compiler of the JVM costs more than it gives.
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-XX:+UseSerialGC",
              "-XX:TieredStopAtLevel=1");
      case SHELL -> List.of("/bin/sh");
    };
  }
}
