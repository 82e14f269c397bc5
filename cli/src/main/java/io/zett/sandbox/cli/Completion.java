package io.zett.sandbox.cli;

import picocli.AutoComplete;

/** The completion script; the same one serves bash(1) and zsh(1), which asks bash's machinery. */
final class Completion {
  private Completion() {}

  static String script(String shell) {
    if (!shell.equals("bash") && !shell.equals("zsh")) {
      throw new UsageException(
          shell.isEmpty() ? "for which shell?" : "no completion for \"" + shell + "\"",
          "zett completion bash, or zett completion zsh");
    }
    return AutoComplete.bash("zett", Commands.all());
  }
}
