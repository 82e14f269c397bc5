package io.zett.sandbox.limits.attacks;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The program that tries to use more than it may: {@code attacker.c}. */
final class Attacker {
  /** Names a compiled one, where there is no time or no compiler. */
  private static final String PROPERTY = "zett.test.attacker";

  private static final String NAME = "attacker";
  private static @Nullable Path program;

  private Attacker() {}

  /** A command of this session that attacks; one word of the mode each. */
  static SandboxCommand command(SandboxSession session, String mode) {
    List<String> words = new ArrayList<>();
    words.add("./" + in(session));
    words.addAll(List.of(mode.split(" ")));
    return SandboxCommand.of(words);
  }

  /** Attacks and waits. */
  static SandboxResult run(SandboxSession session, String mode) {
    return session.run(command(session, mode));
  }

  /** How many units the attack really had, by its own account. */
  static long had(SandboxResult result) {
    return result.stdoutTotalBytes();
  }

  /** Its name in the session's workspace, where it is put if it is not there yet. */
  static String in(SandboxSession session) {
    try {
      Files.copy(program(), session.workspace().resolve(NAME));
    } catch (FileAlreadyExistsException e) {
      return NAME; // put there before
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return NAME;
  }

  private static synchronized Path program() throws IOException {
    Path known = program;
    if (known != null) {
      return known;
    }
    String compiled = System.getProperty(PROPERTY);
    known = compiled == null ? compile() : Path.of(compiled);
    program = known;
    return known;
  }

  private static Path compile() throws IOException {
    Path folder = Files.createTempDirectory("attacker");
    Path source = folder.resolve("attacker.c");
    Path made = folder.resolve(NAME);
    try (InputStream text = Attacker.class.getResourceAsStream("attacker.c")) {
      Files.copy(Objects.requireNonNull(text), source);
    }
    Programs.run("cc", "-O1", "-pthread", "-o", made.toString(), source.toString());
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
    folder.toFile().deleteOnExit(); // the last to go: it is the other way round
    source.toFile().deleteOnExit();
    made.toFile().deleteOnExit();
    return made;
  }
}
