package io.zett.sandbox.langchain4j;

import dev.langchain4j.code.CodeExecutionEngine;
import io.zett.sandbox.tools.CommandReport;
import io.zett.sandbox.tools.OutputPart;
import io.zett.sandbox.tools.RunRequest;
import io.zett.sandbox.tools.SandboxTools;
import io.zett.sandbox.tools.ToolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Runs code in a sandbox, for the tools of LangChain4j that take a {@link CodeExecutionEngine}.
 *
 * <pre>{@code
 * CodeExecutionEngine python = SandboxCodeExecutionEngine.of(tools, CodeLanguage.PYTHON);
 * String output = python.execute("print(6 * 7)");
 * }</pre>
 *
 * <p>Code starts in the workspace, without input. Its file is in the {@code /tmp} of that one run;
 * only what it writes into the workspace stays. The answer is what it wrote to its standard output.
 * If it ends otherwise than with status 0, the answer also has what it wrote to its standard error,
 * and a last line in brackets says how it ended: an exit code, a signal, its time, a limit. What
 * keeps the code from being run is such a line, too. All of it is text for the model; nothing is
 * thrown. Time and length are those of the tools. Immutable and thread-safe.
 */
public final class SandboxCodeExecutionEngine implements CodeExecutionEngine {
  // $1 is the name of the file, the rest is the program.
  private static final String SCRIPT =
      "file=$(mktemp -d)/$1 && shift && cat >\"$file\" && exec \"$@\" \"$file\" </dev/null";

  private final SandboxTools tools;
  private final List<String> argv;

  private SandboxCodeExecutionEngine(SandboxTools tools, String fileName, List<String> program) {
    this.tools = Objects.requireNonNull(tools, "tools");
    this.argv = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "sh", fileName));
    this.argv.addAll(program);
  }

  /** An engine for a language. */
  public static SandboxCodeExecutionEngine of(SandboxTools tools, CodeLanguage language) {
    return new SandboxCodeExecutionEngine(tools, language.fileName(), language.program());
  }

  /**
   * An engine with another program.
   *
   * @param fileName the name that the code gets as a file, such as {@code main.rb}
   * @param program the program and its arguments before the file; found in the search path of the
   *     sandbox, or absolute
   * @throws IllegalArgumentException if the name is empty or has a slash, or there is no program
   */
  public static SandboxCodeExecutionEngine of(
      SandboxTools tools, String fileName, List<String> program) {
    if (fileName.isEmpty() || fileName.contains("/")) {
      throw new IllegalArgumentException(
          "fileName: \"" + fileName + "\" is none; give one without a directory, like main.rb");
    }
    if (program.isEmpty()) {
      throw new IllegalArgumentException("program: it is empty; give the one that runs the code");
    }
    return new SandboxCodeExecutionEngine(tools, fileName, program);
  }

  @Override
  public String execute(String code) {
    try {
      return text(tools.run(RunRequest.program(argv).input(code)));
    } catch (ToolException e) {
      return "[the code was not run: " + e.getMessage() + "]";
    }
  }

  private static String text(CommandReport report) {
    StringBuilder text = new StringBuilder();
    append(text, report.stdout());
    if (report.failed()) {
      append(text, report.stderr());
      line(text).append('[').append(end(report)).append(']');
    }
    return text.toString();
  }

  private static void append(StringBuilder text, OutputPart part) {
    if (part.truncated()) {
      line(text)
          .append("[the first " + part.from() + " of " + part.total() + " bytes are left out]\n");
    }
    if (!part.text().isEmpty()) {
      line(text).append(part.text());
    }
  }

  private static StringBuilder line(StringBuilder text) {
    return text.isEmpty() || text.charAt(text.length() - 1) == '\n' ? text : text.append('\n');
  }

  private static String end(CommandReport report) {
    return switch (report.outcome()) {
      case EXITED -> "exit code " + report.exitCode();
      case SIGNALED -> "ended by signal " + (report.exitCode() - 128);
      case TIMED_OUT -> "ended because it ran longer than it may";
      case LIMIT_EXCEEDED -> "ended by its limit of " + report.limit();
      case CANCELED -> "canceled";
    };
  }
}
