package io.zett.sandbox.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The C program that makes the calls which no shell tool makes. */
final class Probe {

  private static final List<String> SOURCES =
      List.of(
          "probe.h",
          "probe.c",
          "calls.c",
          "mounts.c",
          "modes.c",
          "files.c",
          "sockets.c",
          "processes.c",
          "limits.c");

  private Probe() {}

  /** Compiles it; null where there is no C compiler. */
  static @Nullable Path compile(Path folder) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("cc", "-O1", "-pthread", "-o", "probe"));
    for (String source : SOURCES) {
      try (InputStream in = Probe.class.getResourceAsStream(source)) {
        Files.copy(Objects.requireNonNull(in, source), folder.resolve(source));
      }
      if (source.endsWith(".c")) {
        words.add(source);
      }
    }
    Process compiler;
    try {
      compiler =
          new ProcessBuilder(words)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("compiler.log").toFile())
              .start();
    } catch (IOException e) {
      return null;
    }
    if (!compiler.waitFor(2, TimeUnit.MINUTES)) {
      compiler.destroyForcibly();
    }
    if (compiler.waitFor() != 0) {
      throw new IOException(
          "the probe does not compile: " + Files.readString(folder.resolve("compiler.log")));
    }
    return folder.resolve("probe");
  }
}
