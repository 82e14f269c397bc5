package io.zett.sandbox.cases.surroundings;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Limit;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.SandboxUnavailableException;
import java.nio.file.Path;

/**
 * Runs a shell text in a workspace, in whatever surroundings this JVM was started, and prints how
 * that went, each line with a word in front. Its words are the workspace and the text.
 */
final class Guest {

  private Guest() {}

  public static void main(String[] words) {
    ResourceReport report = SandboxSession.builder().build().capabilities();
    System.out.println("isolated " + report.isolated());
    try (SandboxSession session =
        SandboxSession.builder()
            .workspace(Path.of(words[0]))
            .scratchSize("16MiB")
            .memory("64MiB")
            .open()) {
      System.out.println("backend " + session.capabilities().backend().wireName());
      Enforcement memory = session.capabilities().enforcement(Limit.MEMORY);
      System.out.println("memory " + memory.level().wireName() + " " + memory.mechanism());
      SandboxResult result = session.run(words[1]);
      System.out.println("exit " + result.exitCode());
      System.out.println("outcome " + result.outcome());
      result.stdout().lines().forEach(line -> System.out.println("out " + line));
      result.stderr().lines().forEach(line -> System.out.println("err " + line));
    } catch (SandboxUnavailableException e) {
      System.out.println("problem " + e.problem());
      System.out.println("fix " + e.fix());
    } catch (SandboxSetupException e) {
      System.out.println("setup " + e.getMessage());
    }
  }
}
