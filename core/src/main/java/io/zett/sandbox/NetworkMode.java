package io.zett.sandbox;

/** What network a command sees. */
public enum NetworkMode {
  /**
   * No network but a loopback interface of the command's own. The host's TCP and UDP services, its
   * Unix sockets that exist when the command starts, and vsock cannot be reached.
   */
  NONE,

  /** The caller's network, its loopback services and abstract Unix sockets included. */
  UNRESTRICTED;

  /**
   * The constant for the word that stands for it on the command line and in a policy file.
   *
   * @param text the word; case is ignored, {@code -} and {@code _} are the same
   * @throws IllegalArgumentException if there is none; the text lists the words and, for a typing
   *     error, the one that was probably meant
   */
  public static NetworkMode of(String text) {
    return Choice.of(NetworkMode.class, "network", text);
  }

  /** The word that stands for this constant on the command line and in JSON, in lower case. */
  public String wireName() {
    return Choice.word(this);
  }
}
