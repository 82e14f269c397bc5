package io.zett.sandbox.portable;

import io.zett.sandbox.Limit;
import io.zett.sandbox.process.EndReason;
import java.io.IOException;

/**
 * How a command ended; all of it that could be found is dead and its output is complete.
 *
 * @param how the manner
 * @param wallNanos from its beginning to its end; 0 when it never began
 * @param setupNanos before that
 * @param cpuNanos processor time as it was last counted
 * @param peakBytes the most memory that was counted; 0 when nobody counted
 */
public record Finish(How how, long wallNanos, long setupNanos, long cpuNanos, long peakBytes) {

  /** The manner of an end. */
  public sealed interface How {}

  /** It ended by itself, or by a signal: the JDK tells both as one number. */
  public record Exited(int status) implements How {}

  /** It was killed at its deadline. */
  public record TimedOut() implements How {}

  /** It was killed from outside. */
  public record Ended(EndReason reason) implements How {}

  /** It went beyond a limit and was killed. */
  public record Exceeded(Limit limit) implements How {}

  /** What starts it failed; it did not run. */
  public record NotBegun(String detail) implements How {}

  /** Its input could not be read, so it was ended. */
  public record InputFailed(IOException cause) implements How {}

  /** Its limits could not be watched any more, so it was ended. */
  public record Blind(IOException cause) implements How {}
}
