package io.zett.sandbox.testkit;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Many attempts in one command: starting a sandbox for each would take longer than all of them.
 *
 * @param scene where
 * @param variables what the attempts know
 * @param mark the beginning of each attempt's own mark
 * @param indexes which attempts
 */
record Batch(Scene scene, Map<String, String> variables, String mark, List<Integer> indexes) {

  private static final int SECONDS_EACH = 20;

  /** Whether each worked; those that did not come to an end are not there. */
  Map<Integer, Boolean> run(SandboxSession session, Setting setting) {
    Map<Integer, Boolean> worked = new HashMap<>();
    boolean controlled = false;
    for (int round = 1; round <= setting.rounds(); round++) {
      worked.clear();
      SandboxResult result = session.run(command(setting, round));
      for (String line : result.stdout().lines().toList()) {
        String[] words = line.split(" ");
        if (words[0].equals("control")) {
          controlled = true;
          continue;
        }
        worked.put(Integer.parseInt(words[0]), words[1].equals("worked"));
      }
      if (setting.alone()) {
        // Such a command is ended by its limit.
        indexes.forEach(index -> worked.putIfAbsent(index, false));
      }
      if (!controlled) {
        // An attempt that cannot even run would pass for one that is refused.
        throw new IllegalStateException(
            "the scene cannot be used inside: " + result.outcome() + " " + result.stderr());
      }
      controlled = false;
    }
    return worked;
  }

  private SandboxCommand command(Setting setting, int round) {
    StringBuilder script = new StringBuilder();
    script.append(variables.containsKey("P") ? "$P control && " : "");
    script.append("cat $H/file >/dev/null && echo x > $W/control && test -d ~ && echo control\n");
    script.append("attempt() {\n  ID=$1 MARK=").append(mark).append("-$1\n  export ID MARK\n");
    script.append("  if timeout ").append(SECONDS_EACH).append(" /bin/sh -c \"$2\" ");
    script.append(setting == Setting.INPUT ? "" : "</dev/null ").append(">/dev/null 2>&1\n");
    script.append("  then echo \"$1 worked\"; else echo \"$1 refused\"; fi\n}\n");
    for (int index : indexes) {
      String text = Catalogue.all().get(index).attempt();
      script.append("attempt ").append(index).append(" '");
      script.append(text.replace("'", "'\\''")).append("'\n");
    }
    SandboxCommand command = SandboxCommand.shell(script.toString()).env("ROUND", "" + round);
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      command = command.env(variable.getKey(), variable.getValue());
    }
    return setting == Setting.INPUT ? command.input(scene.outside.resolve("file")) : command;
  }
}
