package io.zett.sandbox.tools;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The commands that can be asked about; of ended ones only the last few. Thread-safe. */
final class CommandTable {
  private final int keptCommands;
  private final int maxBackground;
  private final Map<String, KeptCommand> commands = new LinkedHashMap<>();
  private final Map<String, KeptCommand> background = new LinkedHashMap<>();
  private long number;

  CommandTable(int keptCommands, int maxBackground) {
    this.keptCommands = keptCommands;
    this.maxBackground = maxBackground;
  }

  synchronized String nextId() {
    return "c" + ++number;
  }

  synchronized void add(KeptCommand command) {
    commands.put(command.id(), command);
    forget();
  }

  /** Refuses it when there are too many, before it is started. */
  synchronized void checkBackground() {
    background.values().removeIf(command -> !command.isRunning());
    if (background.size() >= maxBackground) {
      throw new ToolException(
          background.size()
              + " commands run in the background, which is the most; end one of "
              + String.join(", ", background.keySet())
              + " with stop_command");
    }
  }

  synchronized void addBackground(KeptCommand command) {
    background.put(command.id(), command);
    add(command);
  }

  private void forget() {
    List<String> ended = new ArrayList<>();
    commands.forEach(
        (id, command) -> {
          if (!command.isRunning()) {
            ended.add(id);
          }
        });
    ended.subList(0, Math.max(0, ended.size() - keptCommands)).forEach(commands::remove);
  }

  synchronized KeptCommand get(String id) {
    KeptCommand command = commands.get(id);
    if (command == null) {
      throw new ToolException(
          "id: there is no command \""
              + id
              + "\" (any more); "
              + (commands.isEmpty()
                  ? "run_command and start_command give ids"
                  : "known ones are " + String.join(", ", commands.keySet())));
    }
    return command;
  }

  synchronized List<KeptCommand> all() {
    return List.copyOf(commands.values());
  }
}
