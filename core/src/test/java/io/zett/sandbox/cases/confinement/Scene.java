package io.zett.sandbox.cases.confinement;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a case takes place: a workspace, a directory of the host outside it and a home, all below
 * one directory that commands may read, since it lies in {@code /tmp}, which is private to them.
 */
final class Scene {

  /** The system's own: one found through PATH may lie in a home that another user cannot read. */
  static final String PYTHON = "/usr/bin/python3";

  final Path base;
  final Path workspace;
  final Path outside;
  final Path home;

  Scene(Path temporary) throws IOException {
    base = temporary.toRealPath();
    workspace = Files.createDirectories(base.resolve("W"));
    outside = Files.createDirectories(base.resolve("H"));
    home = Files.createDirectories(base.resolve("home"));
  }

  /** A session in the workspace. */
  SandboxSession.Builder session() {
    return SandboxSession.builder().workspace(workspace).allowRead(base).scratchSize("16MiB");
  }

  /** A file of the workspace; its directories are made. */
  Path work(String name, String content) throws IOException {
    return write(workspace.resolve(name), content);
  }

  /** A file of the host outside the workspace; its directories are made. */
  Path host(String name, String content) throws IOException {
    return write(outside.resolve(name), content);
  }

  static Path write(Path file, String content) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.write(file, content.getBytes(UTF_8));
  }

  /** Whether these tests run as root. */
  static boolean isRoot() {
    return uid() == 0;
  }

  static int uid() {
    try {
      return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
