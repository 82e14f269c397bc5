package io.zett.sandbox.engine;

import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.host.HostSurvey;
import io.zett.sandbox.limits.LimitPlan;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.EventLoop;
import io.zett.sandbox.process.InitProgram;
import io.zett.sandbox.workspace.Deletion;
import io.zett.sandbox.workspace.Placeholders;
import io.zett.sandbox.workspace.PrivateDirectory;
import java.nio.file.Path;

/**
 * What stays the same from the opening of a sandbox to its closing.
 *
 * @param policy what is allowed
 * @param posix the operating system
 * @param loop where commands are started and watched
 * @param report what is enforced
 * @param limits the maker of each command's limits
 * @param directory this sandbox's own directory
 * @param workspace where commands start and may write
 * @param workspacePath the same for users
 * @param plans how sandboxes are built
 * @param survey looks at the disk for each command
 * @param placeholders keeps denied paths that do not exist from being made
 * @param init the first program of each sandbox
 * @param scratch where commands have their temporary files
 * @param home the home directory that commands see
 * @param environment the variables of its commands
 * @param hasNamespaces whether they are apart from the host's processes
 */
record Opened(
    SandboxPolicy policy,
    Posix posix,
    EventLoop loop,
    ResourceReport report,
    LimitPlan limits,
    PrivateDirectory directory,
    UnixPath workspace,
    Path workspacePath,
    Plans plans,
    HostSurvey survey,
    Placeholders placeholders,
    InitProgram init,
    UnixPath scratch,
    UnixPath home,
    SessionEnvironment environment,
    boolean hasNamespaces)
    implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger("io.zett.sandbox");

  @Override
  public void close() {
    try {
      limits.close();
      Deletion deletion = directory.delete();
      if (!deletion.complete()) {
        LOG.log(
            System.Logger.Level.WARNING,
            "not everything of a closed sandbox could be removed: {0}",
            deletion.remaining());
      }
    } finally {
      survey.close();
      plans.close();
      init.close();
      Shared.get().release();
    }
  }
}
