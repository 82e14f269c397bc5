package io.zett.sandbox.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One call of the command inside this JVM, with what it printed. Nothing is run in a sandbox. */
record Spoken(int status, String out, String err) {

  static Spoken by(String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        new Zett(
                new Streams(out, new PrintStream(err, true, StandardCharsets.UTF_8)),
                SessionServer.NONE,
                BatchEngine.NONE)
            .run(List.of(words));
    return new Spoken(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
