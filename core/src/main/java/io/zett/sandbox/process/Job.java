package io.zett.sandbox.process;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a sandbox that stands is given to run.
 *
 * @param block what zett-init starts
 * @param input the command's standard input
 * @param out where its standard output goes
 * @param err where its standard error goes; null: where the standard output goes
 * @param timeout wall time from the token on; null: none
 */
public record Job(
    StartBlock block, Input input, Sink out, @Nullable Sink err, @Nullable Duration timeout) {

  public Job {
    if (out == err) {
      throw new IllegalArgumentException("one sink cannot take two streams: leave err out");
    }
  }

  byte[] encoded() {
    return block.encode(err == null, input instanceof Input.None);
  }
}
