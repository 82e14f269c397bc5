package io.zett.sandbox.engine;

import io.zett.sandbox.PathExplanation;
import io.zett.sandbox.PathExplanation.Access;
import io.zett.sandbox.PathExplanation.Presence;
import io.zett.sandbox.PathExplanation.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What is met at paths where nothing is isolated. */
final class OpenPaths {
  private OpenPaths() {}

  static List<PathExplanation> explain(List<Path> paths) {
    return paths.stream().map(OpenPaths::explain).toList();
  }

  private static PathExplanation explain(Path path) {
    Path real;
    Presence presence = Presence.PRESENT;
    try {
      real = path.toRealPath();
    } catch (IOException e) {
      real = path.normalize();
      presence = Files.notExists(path) ? Presence.MISSING : Presence.UNKNOWN;
    }
    return new PathExplanation(
        path, real, Access.WRITE, presence, Reason.UNISOLATED, Optional.empty());
  }
}
