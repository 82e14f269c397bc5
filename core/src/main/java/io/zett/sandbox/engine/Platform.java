package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxUnavailableException;
import java.util.Locale;

/** The operating systems that the library tells apart, and the sandbox that each has. */
enum Platform {
  LINUX("Linux", SandboxBackend.BUBBLEWRAP),
  MACOS("macOS", SandboxBackend.SEATBELT),
  WINDOWS("Windows", SandboxBackend.PASSTHROUGH),
  /** A Unix, most likely; no sandbox is known for it. */
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
    if (name.equals("linux")) {
      return LINUX;
    }
    return name.startsWith("mac os") ? MACOS : name.startsWith("windows") ? WINDOWS : OTHER;
  }

  /** What {@link SandboxBackend#AUTO} means on it. */
  SandboxBackend backend() {
    return backend;
  }

  /** A command that does nothing. */
  SandboxCommand nothing() {
    return this == WINDOWS ? SandboxCommand.shell("exit 0") : SandboxCommand.of("true");
  }

  /** Whether the library makes this system's own calls. */
  boolean isNative() {
    return this == LINUX;
  }

  /**
   * The backend that a policy gets here.
   *
   * @throws SandboxUnavailableException for another platform's, and when isolation is required that
   *     it does not give
   */
  SandboxBackend backend(SandboxPolicy policy) {
    SandboxBackend wanted = policy.backend();
    if (wanted == SandboxBackend.BUBBLEWRAP && this != LINUX) {
      throw foreign("bubblewrap", LINUX);
    }
    if (wanted == SandboxBackend.SEATBELT && this != MACOS) {
      throw foreign("seatbelt", MACOS);
    }
    SandboxBackend got = wanted == SandboxBackend.AUTO ? backend : wanted;
    if (got == SandboxBackend.PASSTHROUGH && policy.requireIsolation()) {
      throw lacksIsolation();
    }
    return got;
  }

  /** What is said when isolation is required and passthrough is all that is left, or asked for. */
  private SandboxUnavailableException lacksIsolation() {
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
