package io.zett.sandbox.backend;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxSetupException;

/** Turns a policy and a view of the disk into a launch. Pure and thread-safe. */
public interface Backend {

  /** Which one it is; never {@link SandboxBackend#AUTO}. */
  SandboxBackend kind();

  /**
   * Whether commands have processes, accounts, a {@code /tmp} and a home of their own. Without,
   * they live among the host's: directories of the session serve as temporary directory and private
   * home, and what outlives a command has to be found.
   */
  boolean hasNamespaces();

  /**
   * How to start a command.
   *
   * @throws SandboxSetupException if the policy cannot be kept on this disk; it names the path
   */
  Launch prepare(LaunchRequest request);

  /**
   * What commands of such a launch meet at each path.
   *
   * @throws SandboxSetupException if the policy cannot be kept on this disk; it names the path
   */
  Sight sight(LaunchRequest request);
}
