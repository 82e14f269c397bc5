package io.zett.sandbox.cases.output;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/** A JVM that was started with an ASCII locale, as by cron or in a container. */
final class AsciiLocale {
  private static final String WORD = "h\u00e9\u6f22";

  private AsciiLocale() {}

  /** Arguments: the URI of a directory whose name is not ASCII, since its path could not be one. */
  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.println(System.getProperty("sun.jnu.encoding"));
    Path directory = Path.of(URI.create(arguments[0]));
    try (SandboxSession session = SandboxSession.builder().workspace(directory).open()) {
      out.println(hex(session, SandboxCommand.of("printf", "%s", WORD)));
      out.println(hex(session, SandboxCommand.shell("printf " + WORD)));
      out.println(hex(session, SandboxCommand.shell("printf \"$V\"").env("V", WORD)));
      out.println(hex(session, SandboxCommand.of("cat").input(WORD)));
      out.println(hex(session, SandboxCommand.shell("basename \"$PWD\" | tr -d '\\n'")));
      session.run(SandboxCommand.of("mkdir", "-p", WORD + "/" + WORD)).check();
      Path below = Path.of(URI.create(arguments[0] + "h%C3%A9%E6%BC%A2"));
      out.println(hex(session, SandboxCommand.shell("ls | tr -d '\\n'").cwd(below)));
    }
    try (SandboxSession session =
        SandboxSession.builder().workspace(directory).denyWrite(directory.resolve("n")).open()) {
      out.println(session.run(List.of("touch", "n")).exitCode() == 0 ? "written" : "refused");
    }
  }

  private static String hex(SandboxSession session, SandboxCommand command) {
    return HexFormat.of().formatHex(session.run(command).check().stdoutBytes());
  }
}
