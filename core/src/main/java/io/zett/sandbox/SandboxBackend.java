package io.zett.sandbox;

/** What builds the sandbox. */
public enum SandboxBackend {
  /**
   * The platform's own: {@link #BUBBLEWRAP} on Linux, {@link #SEATBELT} on macOS. Where the
   * platform has one but cannot use it now, opening fails and says how to mend it; only a platform
   * with none at all (Windows) falls to {@link #PASSTHROUGH}, with one logged warning.
   */
  AUTO,

  /** The sandbox of macOS. */
  SEATBELT,

  /** Linux namespaces, through {@code bwrap(1)}. */
  BUBBLEWRAP,

  /**
   * No isolation at all: commands run as the user, with the environment, time limit and output
   * handling of a sandbox. {@link ResourceReport#isolated()} is false.
   */
  PASSTHROUGH;

  /**
   * The constant for the word that stands for it on the command line and in a policy file.
   *
   * @param text the word; case is ignored, {@code -} and {@code _} are the same
   * @throws IllegalArgumentException if there is none; the text lists the words and, for a typing
   *     error, the one that was probably meant
   */
  public static SandboxBackend of(String text) {
    return Choice.of(SandboxBackend.class, "backend", text);
  }

  /** The word that stands for this constant on the command line and in JSON, in lower case. */
  public String wireName() {
    return Choice.word(this);
  }
}
