package io.zett.sandbox.backend.seatbelt;

import io.zett.sandbox.NetworkMode;
import io.zett.sandbox.SandboxPolicy;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of a profile that is about sockets. Connecting to a Unix socket is the network's
 * business, not the file's: what hides a file does not close the socket that it is.
 */
final class SocketRules {

  private SocketRules() {}

  /**
   * Writes them.
   *
   * @param own the directories in which commands may have sockets of their own
   */
  static void write(ProfileText text, SandboxPolicy policy, List<Region> own, Filters filters) {
    boolean internet = policy.network() == NetworkMode.UNRESTRICTED;
    if (internet) {
      text.piece(Piece.INTERNET.text());
    } else {
      text.comment("No network; the loopback interface is the host's, too.");
      text.rule("deny network*", List.of());
    }
    if (policy.blocksUnixSockets()) {
      return;
    }
    text.comment("Unix sockets in directories that are given to the commands, and no others.");
    text.rule("allow system-socket", List.of("(socket-domain AF_UNIX)"));
    for (Region region : own) {
      // What may not be written there cannot be bound there: that makes a file.
      text.rule("allow network-bind network-inbound", each("local", filters.tree(region.root())));
      List<String> without = new ArrayList<>();
      region.without().forEach(path -> without.addAll(filters.treeInAnyCase(path)));
      text.rule(
          "allow network-outbound",
          ProfileText.anyWithout(
              each("remote", filters.tree(region.root())), each("remote", without)));
    }
    if (internet) {
      text.piece(Piece.RESOLVER.text());
    }
  }

  private static List<String> each(String end, List<String> filters) {
    return filters.stream().map(filter -> "(" + end + " unix-socket " + filter + ")").toList();
  }
}
