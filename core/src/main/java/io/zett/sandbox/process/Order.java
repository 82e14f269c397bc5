package io.zett.sandbox.process;

import io.zett.sandbox.posix.UnixPath;
import java.time.Duration;
import java.util.List;

/**
 * Everything that is needed to build the sandbox of one command.
 *
 * @param program the launcher, started with an empty environment
 * @param argv the launcher's name and arguments
 * @param inherited descriptors beside the usual ones; owned ones are closed in any case
 * @param verifier the look at the sandbox before the token
 * @param setupDeadline how long the launcher may take until then
 * @param pidNamespace whether zett-init is pid 1 of a namespace whose end ends everything; if not,
 *     the launcher is zett-init itself, as a reaper
 */
public record Order(
    UnixPath program,
    List<byte[]> argv,
    List<Inherited> inherited,
    Verifier verifier,
    Duration setupDeadline,
    boolean pidNamespace) {

  /** The usual time for setting up: a machine under load needs seconds for thousands of mounts. */
  public static final Duration SETUP_DEADLINE = Duration.ofSeconds(30);

  public Order {
    argv = List.copyOf(argv);
    inherited = List.copyOf(inherited);
  }
}
