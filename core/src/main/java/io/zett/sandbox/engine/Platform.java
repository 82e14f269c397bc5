package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxUnavailableException;
import java.util.Locale;

/** The operating systems that the library tells apart, and the sandbox that each has. */
enum Platform {
  LINUX("Linux", SandboxBackend.BUBBLEWRAP),
  MACOS("macOS", SandboxBackend.SEATBELT),
  /** No sandbox is known for it. */
  OTHER(System.getProperty("os.name", "an unknown system"), SandboxBackend.PASSTHROUGH);

  private final String text;
  private final SandboxBackend backend;

  Platform(String text, SandboxBackend backend) {
    this.text = text;
    this.backend = backend;
  }

  /** This JVM's. */
  static Platform current() {
    return of(System.getProperty("os.name", ""));
  }

  /** That of a JVM's property {@code os.name}. */
  static Platform of(String osName) {
    String name = osName.toLowerCase(Locale.ROOT);
    return name.equals("linux") ? LINUX : name.startsWith("mac os") ? MACOS : OTHER;
  }

  /** What {@link SandboxBackend#AUTO} means on it. */
  SandboxBackend backend() {
    return backend;
  }

  /**
   * Lets a backend pass that can be had here.
   *
   * @throws SandboxUnavailableException for another platform's, and for all on macOS, where this
   *     version cannot start processes
   */
  void refuse(SandboxBackend wanted) {
    if (wanted == SandboxBackend.BUBBLEWRAP && this != LINUX) {
      throw foreign("bubblewrap", LINUX);
    }
    if (wanted == SandboxBackend.SEATBELT && this != MACOS) {
      throw foreign("seatbelt", MACOS);
    }
    if (this == MACOS) {
      throw new SandboxUnavailableException(
          "backend: "
              + wanted.wireName()
              + ": on macOS this version can write the profile of a sandbox, but not yet start,"
              + " limit and watch a command in it, so it runs none",
          "run it on Linux: in a virtual machine, or in a container that may make user namespaces"
              + " (docs/platforms.md)");
    }
  }

  /** What is said when isolation is required and passthrough is all that is left, or asked for. */
  SandboxUnavailableException lacksIsolation() {
    return backend == SandboxBackend.PASSTHROUGH
        ? new SandboxUnavailableException(
            "backend: " + text + " has no sandbox, and isolation is required",
            "run it on Linux, or take requireIsolation away")
        : new SandboxUnavailableException(
            "backend: passthrough isolates nothing, and isolation is required",
            "use the backend auto, or take requireIsolation away");
  }

  private SandboxUnavailableException foreign(String name, Platform home) {
    return new SandboxUnavailableException(
        "backend: " + name + " is a part of " + home.text + ", and this is " + text,
        "use the backend auto or " + backend.wireName());
  }

  @Override
  public String toString() {
    return text;
  }
}
