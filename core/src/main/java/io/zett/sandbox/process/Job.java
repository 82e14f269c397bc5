package io.zett.sandbox.process;

import io.zett.sandbox.TerminalSize;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a sandbox that stands is given to run.
 *
 * @param block what zett-init starts
 * @param input the command's standard input
 * @param out where its standard output goes
 * @param err where its standard error goes; null: where the standard output goes
 * @param terminal the terminal that its streams are, of which {@code err} can be none; null: pipes
 * @param timeout wall time from the token on; null: none
 */
public record Job(
    StartBlock block,
    Input input,
    Sink out,
    @Nullable Sink err,
    @Nullable TerminalSize terminal,
    @Nullable Duration timeout) {

  public Job {
    if (terminal != null && err != null) {
      throw new IllegalArgumentException("a terminal has one output: leave err out");
    }
    if (out == err) {
      throw new IllegalArgumentException("one sink cannot take two streams: leave err out");
    }
  }

  /** One whose streams are pipes. */
  public Job(
      StartBlock block, Input input, Sink out, @Nullable Sink err, @Nullable Duration timeout) {
    this(block, input, out, err, null, timeout);
  }

  byte[] encoded() {
    return block.encode(err == null, input instanceof Input.None, terminal);
  }
}
