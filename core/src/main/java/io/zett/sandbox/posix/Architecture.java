package io.zett.sandbox.posix;

import java.util.Locale;

/** The processor architectures whose system calls are known here. */
public enum Architecture {
  X86_64("x86_64"),
  AARCH64("aarch64"),
  OTHER("");

  private static final Architecture CURRENT = of(System.getProperty("os.arch", ""));

  private final String kernelName;

  Architecture(String kernelName) {
    this.kernelName = kernelName;
  }

  /** This JVM's architecture. */
  public static Architecture current() {
    return CURRENT;
  }

  static Architecture of(String osArch) {
    return switch (osArch.toLowerCase(Locale.ROOT)) {
      case "amd64", "x86_64" -> X86_64;
      case "aarch64", "arm64" -> AARCH64;
      default -> OTHER;
    };
  }

  /** The name that {@code uname -m} prints. */
  public String kernelName() {
    return kernelName;
  }
}
