package io.zett.sandbox.springai;

import io.zett.sandbox.tools.RunRequest;
import io.zett.sandbox.tools.SandboxTools;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;
import org.springframework.ai.tool.execution.ToolCallResultConverter;

/**
 * The tools of a sandbox as annotated methods, for {@code ChatClient.prompt().tools(…)} and for
 * classes that add methods of their own. Names and parameters are those of {@link
 * SandboxToolCallbackProvider}, and so are the answers; the descriptions, being fixed, can only say
 * what holds for most sandboxes, and lead to {@code get_capabilities} for the rest. Prefer the
 * provider where both will do. Thread-safe.
 *
 * <p>A wrong call is a {@link io.zett.sandbox.tools.ToolException}, whose message says what to do
 * instead.
 */
@SuppressWarnings("checkstyle:ParameterName") // A model sees the names of parameters.
public class SandboxToolMethods {
  private static final String CWD =
      "where it starts, relative to the workspace; the workspace unless given";
  private static final String PATH = "relative to the workspace";
  private static final String ID = "the command's id";
  private static final String SANDBOX =
      " It runs in a sandbox: only the workspace can be written, /tmp is new for each command, and"
          + " the network may be off; get_capabilities says what holds here.";

  private final SandboxTools tools;

  /**
   * Tools over a sandbox.
   *
   * @param tools closed by whoever made them
   */
  public SandboxToolMethods(SandboxTools tools) {
    this.tools = tools;
  }

  /** A shell text to its end. */
  @Tool(
      name = "run_command",
      resultConverter = PlainText.class,
      description = "Runs a text by /bin/sh -c and waits for its end." + SANDBOX)
  public String runCommand(
      @ToolParam(description = "the shell text") String command,
      @ToolParam(required = false, description = CWD) @Nullable String cwd,
      @ToolParam(required = false, description = "its whole standard input") @Nullable String stdin,
      @ToolParam(required = false, description = "when it is killed")
          @Nullable Double timeout_seconds) {
    return tools.run(request(RunRequest.shell(command), cwd, stdin, timeout_seconds)).text();
  }

  /** A program to its end. */
  @Tool(
      name = "run_program",
      resultConverter = PlainText.class,
      description =
          "Runs a program with its arguments, without a shell, and waits for its end." + SANDBOX)
  public String runProgram(
      @ToolParam(description = "the program, then its arguments") List<String> argv,
      @ToolParam(required = false, description = CWD) @Nullable String cwd,
      @ToolParam(required = false, description = "its whole standard input") @Nullable String stdin,
      @ToolParam(required = false, description = "when it is killed")
          @Nullable Double timeout_seconds) {
    return tools.run(request(RunRequest.program(argv), cwd, stdin, timeout_seconds)).text();
  }

  /** Lines of a file. */
  @Tool(
      name = "read_file",
      resultConverter = PlainText.class,
      description = "Reads lines of a UTF-8 text file in the workspace.")
  public String readFile(
      @ToolParam(description = PATH) String path,
      @ToolParam(required = false, description = "the first line to read; 1 unless given")
          @Nullable Long offset,
      @ToolParam(required = false, description = "how many lines to read") @Nullable Long limit) {
    return tools.readFile(path, offset, limit).text();
  }

  /** A whole file. */
  @Tool(
      name = "write_file",
      resultConverter = PlainText.class,
      description =
          "Writes a whole UTF-8 text file in the workspace, in place of one that is there. Missing"
              + " directories are made.")
  public String writeFile(
      @ToolParam(description = PATH) String path,
      @ToolParam(description = "all of it") String content) {
    return tools.writeFile(path, content).text();
  }

  /** A directory's entries. */
  @Tool(
      name = "list_directory",
      resultConverter = PlainText.class,
      description = "Lists a directory of the workspace: kind, size and name of each entry.")
  public String listDirectory(
      @ToolParam(required = false, description = PATH) @Nullable String path) {
    return tools.listDirectory(path).text();
  }

  /** A command in the background. */
  @Tool(
      name = "start_command",
      resultConverter = PlainText.class,
      description =
          "Starts a text by /bin/sh -c and returns at once, for servers, watchers and prompts."
              + " read_output reads what it writes, send_input writes to it, stop_command ends it."
              + SANDBOX)
  public String startCommand(
      @ToolParam(description = "the shell text") String command,
      @ToolParam(required = false, description = CWD) @Nullable String cwd,
      @ToolParam(required = false, description = "when it is killed; never unless given")
          @Nullable Double timeout_seconds) {
    return tools.start(request(RunRequest.shell(command), cwd, null, timeout_seconds)).text();
  }

  /** What a command wrote. */
  @Tool(
      name = "read_output",
      resultConverter = PlainText.class,
      description = "Reads what a command wrote, also one that has ended.")
  public String readOutput(
      @ToolParam(description = ID) String id,
      @ToolParam(required = false, description = "\"stdout\" or \"stderr\"; stdout unless given")
          @Nullable String stream,
      @ToolParam(
              required = false,
              description =
                  "where to begin, in bytes; unless given where the last read without one ended")
          @Nullable Long offset,
      @ToolParam(
              required = false,
              description = "how long to wait for something new, from 0 to 60; 0 unless given")
          @Nullable Double wait_seconds) {
    return tools.readOutput(id, stream, offset, wait_seconds).text();
  }

  /** What a command reads. */
  @Tool(
      name = "send_input",
      resultConverter = PlainText.class,
      description =
          "Writes to the standard input of a command that start_command has started. It is no"
              + " terminal: end lines with a line feed.")
  public String sendInput(
      @ToolParam(description = ID) String id,
      @ToolParam(required = false, description = "what to write") @Nullable String text,
      @ToolParam(required = false, description = "whether the input ends here")
          @Nullable Boolean close) {
    return tools.sendInput(id, text == null ? "" : text, close != null && close).text();
  }

  /** A command's end. */
  @Tool(
      name = "stop_command",
      resultConverter = PlainText.class,
      description = "Ends a command with everything that it started, and says how it ended.")
  public String stopCommand(@ToolParam(description = ID) String id) {
    return tools.stop(id).text();
  }

  /** What holds here. */
  @Tool(
      name = "get_capabilities",
      resultConverter = PlainText.class,
      description = "Says what commands may do and use here, and how each limit is kept.")
  public String getCapabilities() {
    return tools.capabilities().text();
  }

  /** Hands the model the text itself, not as a string of JSON. Made by Spring AI. */
  public static final class PlainText implements ToolCallResultConverter {
    /** For Spring AI. */
    public PlainText() {}

    @Override
    public String convert(@Nullable Object result, @Nullable Type returnType) {
      return String.valueOf(result);
    }
  }

  private static RunRequest request(
      RunRequest request,
      @Nullable String cwd,
      @Nullable String stdin,
      @Nullable Double timeoutSeconds) {
    RunRequest made = cwd == null ? request : request.in(cwd);
    made = stdin == null ? made : made.input(stdin);
    return timeoutSeconds == null ? made : made.timeout(timeoutSeconds);
  }
}
