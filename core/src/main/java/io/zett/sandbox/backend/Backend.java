package io.zett.sandbox.backend;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxSetupException;

/** Turns a policy and a view of the disk into a launch. Pure and thread-safe. */
public interface Backend {

  /** Which one it is; never {@link SandboxBackend#AUTO}. */
  SandboxBackend kind();

  /**
   * How to start a command.
   *
   * @throws SandboxSetupException if the policy cannot be kept on this disk; it names the path
   */
  Launch prepare(LaunchRequest request);
}
