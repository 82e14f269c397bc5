package io.zett.sandbox.faults;

import java.util.stream.Collectors;

/**
 * Where the library makes a call: its name and the library's methods that lead to it, the innermost
 * first. So a call is found again in another run, whatever other threads do meanwhile.
 *
 * @param call the call's name
 * @param callers the innermost methods of the library
 */
public record CallSite(String call, String callers) {

  private static final String LIBRARY = "io.zett.sandbox.";
  private static final int DEPTH = 4;
  private static final StackWalker STACK = StackWalker.getInstance();

  /** That of the call that this thread is about to make. */
  static CallSite here(PosixCall call) {
    String callers =
        STACK.walk(
            frames ->
                frames
                    .filter(frame -> isOfLibrary(frame.getClassName()))
                    .limit(DEPTH)
                    .map(CallSite::shown)
                    .collect(Collectors.joining(" < ")));
    return new CallSite(call.name(), callers);
  }

  private static boolean isOfLibrary(String name) {
    return name.startsWith(LIBRARY)
        && !name.startsWith(LIBRARY + "posix.")
        && !name.startsWith(LIBRARY + "faults.");
  }

  private static String shown(StackWalker.StackFrame frame) {
    String name = frame.getClassName();
    return name.substring(name.lastIndexOf('.') + 1)
        + "."
        + frame.getMethodName()
        + ":"
        + frame.getLineNumber();
  }

  /** Whether one of the methods is of this class. */
  public boolean isIn(String simpleName) {
    return (" " + callers).contains(" " + simpleName);
  }

  @Override
  public String toString() {
    return call + " in " + callers;
  }
}
