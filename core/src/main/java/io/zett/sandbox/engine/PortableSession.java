package io.zett.sandbox.engine;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.portable.PrivateTree;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The directories of one session where the JDK starts its commands.
 *
 * @param tree all that is the session's own
 * @param workspace where commands start; a real path
 * @param scratch where they have their temporary files
 * @param home their home directory
 * @param callersHome that of whoever opened the session
 */
record PortableSession(
    PrivateTree tree, Path workspace, Path scratch, Path home, Path callersHome) {

  /**
   * Makes them; when that fails, nothing is left behind.
   *
   * @param given the caller's workspace; null for a private one
   * @param callersHome the home directory of this user
   * @throws IllegalArgumentException if a directory of the caller's does not exist
   */
  static PortableSession make(SandboxPolicy policy, @Nullable Path given, Path callersHome) {
    GivenDirectories.check(policy, given);
    Path parent = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    PrivateTree tree = null;
    try {
      tree = PrivateTree.create(parent);
      tree.sweep();
      Path own = tree.make("workspace");
      Path scratch = tree.make("scratch");
      Path home = policy.home() == HomeMode.PRIVATE ? tree.make("home") : callersHome;
      Path workspace = given == null ? own : given.toRealPath();
      return new PortableSession(tree, workspace, scratch, home, callersHome);
    } catch (IOException e) {
      if (tree != null) {
        tree.close();
      }
      throw new SandboxSetupException(
          "making the sandbox's directory",
          parent,
          e + "; another place can be named with -Djava.io.tmpdir=DIR",
          e);
    }
  }
}
