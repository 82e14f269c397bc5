package io.zett.sandbox.process;

import io.zett.sandbox.posix.UnixPath;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is needed to run one command.
 *
 * @param program the launcher, started with an empty environment
 * @param argv the launcher's name and arguments
 * @param inherited descriptors beside the usual ones; owned ones are closed in any case
 * @param block what zett-init starts
 * @param input the command's standard input
 * @param out where its standard output goes
 * @param err where its standard error goes; null: it shares the pipe of the standard output
 * @param timeout wall time from the token on; null: none
 * @param verifier the look at the sandbox before the token
 * @param setupDeadline how long the launcher may take until then
 * @param pidNamespace whether zett-init is pid 1 of a namespace whose end ends everything; if not,
 *     the launcher is zett-init itself, as a reaper
 */
public record Order(
    UnixPath program,
    List<byte[]> argv,
    List<Inherited> inherited,
    StartBlock block,
    Input input,
    Sink out,
    @Nullable Sink err,
    @Nullable Duration timeout,
    Verifier verifier,
    Duration setupDeadline,
    boolean pidNamespace) {

  /** The usual time for setting up: a machine under load needs seconds for thousands of mounts. */
  public static final Duration SETUP_DEADLINE = Duration.ofSeconds(30);

  public Order {
    argv = List.copyOf(argv);
    inherited = List.copyOf(inherited);
    if (out == err) {
      throw new IllegalArgumentException("one sink cannot take two streams: leave err out");
    }
  }
}
