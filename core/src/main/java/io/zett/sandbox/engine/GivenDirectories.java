package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The directories that a caller names: what is wrong with their own words is an argument's error.
 */
final class GivenDirectories {
  private GivenDirectories() {}

  /**
   * Checks a workspace.
   *
   * @throws IllegalArgumentException if it does not exist, or is none
   */
  static Path workspace(Path workspace) {
    if (!Files.isDirectory(workspace)) {
      throw new IllegalArgumentException(
          "workspace: "
              + workspace
              + (Files.exists(workspace) ? " is no directory" : " does not exist")
              + "; name an existing directory, or none for a private one");
    }
    try {
      if (workspace.toRealPath().getNameCount() == 0) {
        throw new IllegalArgumentException(
            "workspace: " + workspace + " leads to /; name the directory that commands may write");
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("workspace: " + e.getMessage(), e);
    }
    return workspace;
  }

  /**
   * Checks all of them.
   *
   * @param workspace null for a private one
   */
  static void check(SandboxPolicy policy, @Nullable Path workspace) {
    if (workspace != null) {
      workspace(workspace);
    }
    for (Path path : policy.writable()) {
      if (!Files.isDirectory(path)) {
        throw new IllegalArgumentException(
            "writable: "
                + path
                + (Files.exists(path)
                    ? " is not a directory"
                    : " does not exist or cannot be reached"));
      }
    }
  }
}
