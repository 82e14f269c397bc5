package io.zett.sandbox;

/** What a command sees where the caller's home directory is. */
public enum HomeMode {
  /**
   * The caller's home, readable; credentials in it are hidden and nothing in it can be written.
   * {@code XDG_CACHE_HOME} points to scratch space.
   */
  HOST,

  /** An empty writable directory that disappears with the command. */
  PRIVATE;

  /**
   * The constant for the word that stands for it on the command line and in a policy file.
   *
   * @param text the word; case is ignored, {@code -} and {@code _} are the same
   * @throws IllegalArgumentException if there is none; the text lists the words and, for a typing
   *     error, the one that was probably meant
   */
  public static HomeMode of(String text) {
    return Choice.of(HomeMode.class, "home", text);
  }

  /** The word that stands for this constant on the command line and in JSON, in lower case. */
  public String wireName() {
    return Choice.word(this);
  }
}
