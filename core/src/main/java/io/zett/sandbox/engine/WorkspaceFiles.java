package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxFiles.Listing;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The files of one sandbox's workspace, for the host program, under the sandbox's own policy. Paths
 * are given as texts or as {@link Path}s. Closing the sandbox waits for what is being read and
 * written; copies break off. Thread-safe.
 */
public interface WorkspaceFiles {

  /** The whole of a regular file. */
  byte[] read(Object given, int most) throws IOException;

  /** Puts a file with this content, whole or not at all. */
  void write(Object given, byte[] content) throws IOException;

  /** What is in a directory, at most so many entries, sorted by name. */
  Listing list(Object given, int most) throws IOException;

  /** Whether something is there; a link itself counts. */
  boolean exists(Object given) throws IOException;

  /** Removes a file, a link itself or an empty directory. */
  void delete(Object given) throws IOException;

  /** Copies a file of the host in. */
  void copyIn(Path host, Object given) throws IOException;

  /** Copies a regular file out, whole or not at all. */
  void copyOut(Object given, Path host, long most) throws IOException;
}
