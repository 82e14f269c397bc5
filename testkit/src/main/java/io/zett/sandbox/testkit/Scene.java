package io.zett.sandbox.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zett.sandbox.SandboxPolicy;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where attacks take place: a workspace {@code W}, a directory of the host {@code H}, a further
 * writable directory {@code also}, and a home, all below one directory that commands may read.
 */
final class Scene {

  private static final String SECRET = "SECRET-of-the-scene";
  private static final String PROGRAM = "#!/bin/sh\nexit 0\n";

  final Path base;
  final Path workspace;
  final Path outside;
  final Path also;
  final Path home;

  Scene(Path base) {
    this.base = base;
    workspace = base.resolve("W");
    outside = base.resolve("H");
    also = base.resolve("also");
    home = base.resolve("home");
  }

  /** The rules that the attacks know of. */
  SandboxPolicy.Builder rules(SandboxPolicy.Builder policy) {
    return policy
        .allowRead(base)
        .writable(also, workspace.resolve("cache"))
        .denyWrite(
            workspace.resolve("kept"),
            workspace.resolve("deep/er/kept"),
            workspace.resolve(".git"),
            workspace.resolve("gone/planted"))
        .denyRead(
            workspace.resolve("conf/key"),
            workspace.resolve("priv"),
            workspace.resolve(".env"),
            workspace.resolve("linked"),
            outside.resolve("hidden"));
  }

  /** Puts everything in its place that commands may have changed, but not the home. */
  void plant(String token, String victim) throws IOException {
    for (Path changed :
        new Path[] {workspace, also, outside.resolve("file"), outside.resolve("other")}) {
      delete(changed);
    }
    Files.createDirectories(also);
    for (String name : new String[] {"cache", "deep/er/kept", "kept", "conf", "priv"}) {
      Files.createDirectories(workspace.resolve(name));
    }
    write(workspace.resolve("conf/key"), SECRET);
    write(workspace.resolve("priv/name"), SECRET);
    program(workspace.resolve("priv/program"), "rwxr-xr-x");
    write(workspace.resolve("kept/file"), "kept\n");
    write(outside.resolve("file"), "precious\n");
    Files.createDirectories(outside.resolve("other"));
    write(outside.resolve("hidden/key"), SECRET);
    program(outside.resolve("hidden/program"), "rwxr-xr-x");
    write(outside.resolve("real/key"), SECRET);
    Files.createSymbolicLink(workspace.resolve("linked"), outside.resolve("real/key"));
    write(outside.resolve("tokens"), token + "\n");
    write(outside.resolve("victim"), victim + "\n");
    program(outside.resolve("set-id"), "rwxr-xr-x");
    Files.setAttribute(outside.resolve("set-id"), "unix:mode", 04755);
  }

  private static void program(Path file, String mode) throws IOException {
    write(file, PROGRAM);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  static Path write(Path file, String content) throws IOException {
    Files.createDirectories(file.getParent());
    if (Files.isSymbolicLink(file)) {
      Files.delete(file);
    }
    return Files.write(file, content.getBytes(UTF_8));
  }

  /** All that lies below a path: what it is, its mode, and its content. */
  static Map<String, String> picture(Path root) throws IOException {
    Map<String, String> all = new TreeMap<>();
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return all;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes status)
              throws IOException {
            all.put(directory.toString(), mode(directory));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes status)
              throws IOException {
            all.put(
                file.toString(),
                status.isSymbolicLink()
                    ? "-> " + Files.readSymbolicLink(file)
                    : mode(file)
                        + (status.isRegularFile()
                            ? status.lastModifiedTime() + Files.readString(file)
                            : ""));
            return FileVisitResult.CONTINUE;
          }
        });
    return all;
  }

  static String mode(Path path) throws IOException {
    return Integer.toOctalString(
        (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS));
  }

  /** Deletes a tree and follows no link; what a command closed is opened first. */
  static void delete(Path root) throws IOException {
    if (Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
      List<Path> entries = new ArrayList<>();
      try (DirectoryStream<Path> all = Files.newDirectoryStream(root)) {
        all.forEach(entries::add);
      }
      for (Path entry : entries) {
        delete(entry);
      }
    }
    Files.deleteIfExists(root);
  }
}
