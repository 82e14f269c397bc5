package io.zett.sandbox.agentsandbox;

import io.zett.sandbox.SandboxFileException;
import io.zett.sandbox.SandboxFileException.Reason;
import io.zett.sandbox.SandboxFiles.Entry;
import io.zett.sandbox.SandboxFiles.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.springaicommunity.sandbox.FileEntry;
import org.springaicommunity.sandbox.FileSpec;
import org.springaicommunity.sandbox.Sandbox;
import org.springaicommunity.sandbox.SandboxException;
import org.springaicommunity.sandbox.SandboxFiles;

/** The files of a session in the terms of agent-sandbox. */
final class WorkspaceFiles implements SandboxFiles {
  private final Sandbox sandbox;
  private final io.zett.sandbox.SandboxFiles files;
  private final Path workDir;

  WorkspaceFiles(Sandbox sandbox, io.zett.sandbox.SandboxFiles files, Path workDir) {
    this.sandbox = sandbox;
    this.files = files;
    this.workDir = workDir;
  }

  private interface Action<T> {
    T apply() throws IOException;
  }

  /** What the library refuses, as agent-sandbox says it. */
  private static <T> T doing(String what, String path, Action<T> action) {
    try {
      return action.apply();
    } catch (SandboxFileException e) {
      if (e.reason() == Reason.NOT_FOUND) {
        throw new SandboxException("Path does not exist: " + path, e);
      }
      throw new SandboxException("Failed to " + what + ": " + e.getMessage(), e);
    } catch (IOException | IllegalArgumentException | io.zett.sandbox.SandboxException e) {
      throw new SandboxException("Failed to " + what + ": " + e.getMessage(), e);
    }
  }

  @Override
  public SandboxFiles create(String path, String content) {
    return doing(
        "create file",
        path,
        () -> {
          files.write(path, content);
          return this;
        });
  }

  /** The library makes directories for files: one is put there and taken away. */
  @Override
  public SandboxFiles createDirectory(String path) {
    String file = path + "/.zett-directory-" + UUID.randomUUID();
    return doing(
        "create directory",
        path,
        () -> {
          if (path.isEmpty()) {
            throw new IllegalArgumentException("the path is empty; \".\" is the directory itself");
          }
          files.write(file, "");
          files.delete(file);
          return this;
        });
  }

  @Override
  public SandboxFiles setup(List<FileSpec> all) {
    for (FileSpec file : all) {
      create(file.path(), file.content());
    }
    return this;
  }

  @Override
  public String read(String path) {
    return doing("read file", path, () -> files.readString(path));
  }

  @Override
  public boolean exists(String path) {
    return doing(
        "look for",
        path,
        () -> {
          try {
            return files.exists(path);
          } catch (SandboxFileException | IllegalArgumentException e) {
            return false; // Out of reach, or hidden.
          }
        });
  }

  @Override
  public List<FileEntry> list(String path) {
    return list(path, 1);
  }

  @Override
  public List<FileEntry> list(String path, int maxDepth) {
    if (maxDepth < 0) {
      throw new IllegalArgumentException("maxDepth: " + maxDepth + " is negative; 1 or more");
    }
    return doing(
        "list directory",
        path,
        () -> {
          try {
            return new Listings(files, workDir).walk(path, maxDepth);
          } catch (SandboxFileException e) {
            if (e.reason() == Reason.WRONG_KIND && e.path().equals(path)) {
              throw new SandboxException("Path is not a directory: " + path, e);
            }
            throw e;
          }
        });
  }

  @Override
  public SandboxFiles delete(String path) {
    return delete(path, false);
  }

  @Override
  public SandboxFiles delete(String path, boolean recursive) {
    return doing(
        "delete",
        path,
        () -> {
          if (recursive && isDirectory(path)) {
            new Listings(files, workDir).deleteContent(path);
          }
          files.delete(path);
          return this;
        });
  }

  private boolean isDirectory(String path) throws IOException {
    try {
      files.list(path, 1);
      return true;
    } catch (SandboxFileException e) {
      if (e.reason() == Reason.WRONG_KIND || e.reason() == Reason.LINK) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public Sandbox and() {
    return sandbox;
  }

  /** Whether an entry is a directory that can be looked into. */
  static boolean isOpenDirectory(Entry entry) {
    return entry.kind() == Kind.DIRECTORY && !entry.hidden();
  }
}
