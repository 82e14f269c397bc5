package io.zett.sandbox.posix;

/** Linux itself; each family of calls is in its own file. */
final class NativePosix
    implements Posix,
        NativeFileCalls,
        NativeDirectoryCalls,
        NativeChannelCalls,
        NativePollingCalls,
        NativeProcessCalls,
        NativeIdentityCalls {

  private NativePosix() {}

  static Posix instance() {
    String system = System.getProperty("os.name", "");
    if (!system.equals("Linux") || Architecture.current() == Architecture.OTHER) {
      throw new PosixUnavailableException(
          "native calls are known for Linux on x86-64 and AArch64, not for "
              + system
              + " on "
              + System.getProperty("os.arch", "?"));
    }
    try {
      return Holder.INSTANCE;
    } catch (LinkageError e) {
      throw unavailable(e);
    }
  }

  private static PosixUnavailableException unavailable(LinkageError error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      String text = String.valueOf(cause.getMessage());
      // The second attempt gets a copy of the first one's failure, told only by its text.
      if (cause instanceof IllegalCallerException || text.contains("IllegalCallerException")) {
        return new PosixUnavailableException(
            "the JVM denies native access to Zett Sandbox: start java with"
                + " --enable-native-access=io.zett.sandbox (on the module path) or"
                + " --enable-native-access=ALL-UNNAMED (on the class path)",
            error);
      }
    }
    return new PosixUnavailableException("the C library could not be linked: " + error, error);
  }

  private static final class Holder {
    static final NativePosix INSTANCE = linked();

    /** Links now, where a refusal can be told, not at the first call. */
    private static NativePosix linked() {
      NativePosix posix = new NativePosix();
      posix.getpid();
      return posix;
    }
  }
}
