package io.zett.sandbox;

import java.io.Serial;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * A command was ended before it was done: the waiting thread was interrupted, the session was
 * closed, or a denied path was removed or replaced while it ran, so that the sandbox could not hide
 * or protect it any more. All of its tree is dead when this is thrown.
 */
public final class SandboxCanceledException extends CancellationException {
  @Serial private static final long serialVersionUID = 1;

  private final String reason;
  // Results are not serializable; only the reason survives.
  private final transient @Nullable SandboxResult result;

  /**
   * With the reason and what the command did until then.
   *
   * @param reason a few words, such as {@code the session was closed}
   * @param result what it did; null if it never started
   */
  public SandboxCanceledException(String reason, @Nullable SandboxResult result) {
    super("the command was canceled: " + reason);
    this.reason = Objects.requireNonNull(reason, "reason");
    this.result = result;
  }

  /** Why, in a few words. */
  public String reason() {
    return reason;
  }

  /**
   * What the command did until it was ended, its output so far included; empty if it never started,
   * and after serialization.
   */
  public Optional<SandboxResult> result() {
    return Optional.ofNullable(result);
  }
}
