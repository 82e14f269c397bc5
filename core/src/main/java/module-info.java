import org.jspecify.annotations.NullMarked;

/**
 * Runs untrusted commands in an operating-system sandbox.
 *
 * <p>The one exported package is the API; everything else may change in any release. On Linux the
 * library calls the operating system natively: start the JVM with {@code
 * --enable-native-access=io.zett.sandbox}, or with {@code ALL-UNNAMED} when the library is on the
 * class path.
 */
@NullMarked
@SuppressWarnings("module") // the command's module is not there when the library is compiled
module io.zett.sandbox {
  requires static jdk.jfr; // works without: an image need not have it
  requires static transitive org.jspecify;

  exports io.zett.sandbox;
  exports io.zett.sandbox.engine to
      io.zett.sandbox.cli;
}
