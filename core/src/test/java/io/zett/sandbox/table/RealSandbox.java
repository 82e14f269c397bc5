package io.zett.sandbox.table;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A host for the table in a JVM of its own, whose home is the scene's. Prints a line for each row:
 * whether it worked.
 */
final class RealSandbox {

  private RealSandbox() {}

  public static void main(String[] arguments) throws IOException {
    TableScene scene = new TableScene(Path.of(arguments[0]));
    Path temporary = Files.createTempFile(Path.of("/tmp"), "zett-table", "");
    try (ServerSocketChannel inside = listen(scene.at("W/daemon.sock"));
        ServerSocketChannel outside = listen(scene.at("H/daemon.sock"));
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      for (Setting setting : Setting.values()) {
        run(
            scene,
            setting,
            Map.of(
                TableScene.PORT,
                Integer.toString(server.getLocalPort()),
                TableScene.TEMPORARY,
                temporary.toString()));
      }
    } finally {
      Files.delete(temporary);
    }
  }

  private static ServerSocketChannel listen(Path path) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    channel.bind(UnixDomainSocketAddress.of(path));
    return channel;
  }

  private static void run(TableScene scene, Setting setting, Map<String, String> host)
      throws IOException {
    try (SandboxSession session =
        SandboxSession.builder(setting.policy(scene)).workspace(scene.at("W")).open()) {
      for (Row row : PolicyTable.rows()) {
        if (row.setting() == setting) {
          System.out.println(session.run(command(scene, row, host)).exitCode() == 0);
        }
      }
    }
  }

  private static SandboxCommand command(TableScene scene, Row row, Map<String, String> host)
      throws IOException {
    boolean inside = row.path().startsWith("TMPDIR/") || row.path().startsWith("HOME/");
    Path path = scene.at(row.path());
    String word = host.getOrDefault(row.path(), inside ? row.path() : path.toString());
    String inode = Files.exists(path) ? Files.getAttribute(path, "unix:ino").toString() : "";
    return SandboxCommand.of(List.of("/bin/sh", "-c", row.act().script(), "sh", word, inode));
  }
}
