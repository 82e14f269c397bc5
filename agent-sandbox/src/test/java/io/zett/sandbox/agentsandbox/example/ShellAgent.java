package io.zett.sandbox.agentsandbox.example;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.agentsandbox.ZettSandbox;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.springaicommunity.sandbox.ExecResult;
import org.springaicommunity.sandbox.ExecSpec;
import org.springaicommunity.sandbox.Sandbox;
import org.springaicommunity.sandbox.SandboxException;

/** A model says "$ command", reads what that did, and goes on until it says something else. */
public final class ShellAgent {
  private static final SandboxPolicy POLICY =
      SandboxPolicy.builder()
          .memory("1GiB")
          .timeout(Duration.ofMinutes(2))
          .requireIsolation(true)
          .build();

  private ShellAgent() {}

  public static String run(UnaryOperator<String> model, Path project, String task) {
    // It was LocalSandbox.builder().workingDirectory(project).build().
    try (Sandbox sandbox = ZettSandbox.builder().workingDirectory(project).policy(POLICY).build()) {
      String said = model.apply(task);
      for (int turn = 0; said.startsWith("$ ") && turn < 50; turn++) {
        said = model.apply(answer(sandbox, said.substring(2)));
      }
      return said;
    }
  }

  private static String answer(Sandbox sandbox, String command) {
    try {
      ExecResult result = sandbox.exec(ExecSpec.builder().shellCommand(command).build());
      return result.mergedLog() + "[exit code " + result.exitCode() + "]";
    } catch (SandboxException e) {
      return "[" + e.getMessage() + "]";
    }
  }
}
