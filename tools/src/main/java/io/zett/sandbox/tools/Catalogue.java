package io.zett.sandbox.tools;

import static io.zett.sandbox.tools.ToolField.of;
import static io.zett.sandbox.tools.ToolField.optional;
import static io.zett.sandbox.tools.ToolField.required;
import static io.zett.sandbox.tools.ToolType.BOOLEAN;
import static io.zett.sandbox.tools.ToolType.INTEGER;
import static io.zett.sandbox.tools.ToolType.NUMBER;
import static io.zett.sandbox.tools.ToolType.OBJECT_ARRAY;
import static io.zett.sandbox.tools.ToolType.STRING;
import static io.zett.sandbox.tools.ToolType.STRING_ARRAY;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** What models are told about the tools of one sandbox. */
final class Catalogue {
  private static final String PATH =
      "relative to the workspace, or absolute and in it; symbolic links are not followed";
  private static final ToolField ID =
      required("id", STRING, "the command's id, from run_command, run_program or start_command");

  private final PolicyWords words;
  private final ToolSettings settings;
  private final List<ToolDescription> descriptions;

  Catalogue(PolicyWords words, ToolSettings settings) {
    this.words = words;
    this.settings = settings;
    this.descriptions = Arrays.stream(ToolName.values()).map(this::describe).toList();
  }

  List<ToolDescription> descriptions() {
    return descriptions;
  }

  private ToolDescription describe(ToolName tool) {
    return switch (tool) {
      case RUN_COMMAND ->
          running(
              tool,
              "Run a shell command",
              "Runs a text by /bin/sh -c in a sandbox and waits for its end. " + running(),
              command());
      case RUN_PROGRAM ->
          running(
              tool,
              "Run a program",
              "Runs a program with its arguments in a sandbox, without a shell, so that nothing"
                  + " has to be quoted, and waits for its end. "
                  + running(),
              required("argv", STRING_ARRAY, "the program, then its arguments"));
      case READ_FILE ->
          reading(
              tool,
              "Read a file",
              "Reads lines of a UTF-8 text file in the workspace, at most "
                  + settings.tailCharacters()
                  + " characters at once.",
              List.of(
                  required("path", STRING, PATH),
                  optional("offset", INTEGER, "the first line to read; 1 unless given"),
                  optional("limit", INTEGER, "how many lines to read; all that fit unless given")),
              List.of(
                  required("path", STRING, "as it was given"),
                  required("content", STRING, "the lines with their ends"),
                  required("firstLine", INTEGER, "the number of the first line, from 1"),
                  required("lines", INTEGER, "how many lines were read"),
                  required("totalLines", INTEGER, "how many lines the file has"),
                  required("truncated", BOOLEAN, "whether the file goes on")));
      case WRITE_FILE ->
          new ToolDescription(
              tool,
              "Write a file",
              "Writes a whole UTF-8 text file in the workspace, in place of one that is there."
                  + " Missing directories are made.",
              List.of(required("path", STRING, PATH), required("content", STRING, "all of it")),
              List.of(
                  required("path", STRING, "as it was given"),
                  required("bytes", INTEGER, "the size of the file now")),
              false,
              true,
              false);
      case LIST_DIRECTORY ->
          reading(
              tool,
              "List a directory",
              "Lists a directory of the workspace: kind, size in bytes and name of each entry, not"
                  + " what is below.",
              List.of(optional("path", STRING, PATH + "; the workspace unless given")),
              List.of(
                  required("path", STRING, "as it was given"),
                  of("entries", OBJECT_ARRAY, "sorted by name", entry()),
                  required("truncated", BOOLEAN, "whether there are more")));
      case START_COMMAND ->
          new ToolDescription(
              tool,
              "Start a background command",
              "Starts a text by /bin/sh -c in a sandbox and returns at once, for servers, watchers"
                  + " and prompts. At most "
                  + settings.maxBackground()
                  + " run at once. read_output reads what it writes, send_input writes to it,"
                  + " stop_command ends it. "
                  + words.text(),
              List.of(
                  command(),
                  cwd(),
                  optional(
                      "timeout_seconds",
                      NUMBER,
                      "when it is killed, at most "
                          + seconds(settings.maxTimeout())
                          + "; never unless given")),
              List.of(
                  required("id", STRING, "its id for the other tools"),
                  required("cwd", STRING, "where it was started")),
              false,
              true,
              words.isOnline());
      case READ_OUTPUT ->
          reading(
              tool,
              "Read a command's output",
              "Reads what a command wrote, also one that has ended. The last "
                  + settings.keptBytes()
                  + " bytes of each stream are kept, of ended commands the last "
                  + settings.keptCommands()
                  + ".",
              List.of(
                  ID,
                  optional("stream", STRING, "\"stdout\" or \"stderr\"; stdout unless given"),
                  optional(
                      "offset",
                      INTEGER,
                      "where to begin, in bytes from the beginning of the stream; unless given"
                          + " where the last read without an offset ended"),
                  optional(
                      "wait_seconds",
                      NUMBER,
                      "how long to wait for something new, from 0 to 60; 0 unless given")),
              List.of(
                  required("id", STRING, "the command's id"),
                  required("stream", STRING, "stdout or stderr"),
                  required("text", STRING, "what was read"),
                  required("offset", INTEGER, "where the text begins, in bytes"),
                  required("nextOffset", INTEGER, "where to read on"),
                  required("totalBytes", INTEGER, "how much was written so far"),
                  required("skippedBytes", INTEGER, "before the text, kept no longer"),
                  required("running", BOOLEAN, "whether the command has not ended"),
                  optional("exitCode", INTEGER, "once it has ended")));
      case SEND_INPUT ->
          new ToolDescription(
              tool,
              "Send input to a command",
              "Writes to the standard input of a command that start_command has started. It is no"
                  + " terminal: end lines with a line feed.",
              List.of(
                  ID,
                  optional(
                      "text", STRING, "what to write, at most 65536 bytes; nothing unless given"),
                  optional("close", BOOLEAN, "whether the input ends here; false unless given")),
              List.of(
                  required("id", STRING, "the command's id"),
                  required("bytes", INTEGER, "how much was written"),
                  required("closed", BOOLEAN, "whether the input has ended")),
              false,
              true,
              words.isOnline());
      case STOP_COMMAND ->
          new ToolDescription(
              tool,
              "Stop a command",
              "Ends a command with everything that it started: asks first, and kills it after 2"
                  + " seconds. Says how it ended and the end of what it wrote.",
              List.of(ID),
              report(),
              false,
              true,
              false);
      case GET_CAPABILITIES ->
          reading(
              tool,
              "Show what the sandbox allows",
              "Says what commands may do and use here, and how each limit is kept.",
              List.of(),
              List.of(
                  required("workspace", STRING, "the directory that commands write"),
                  required("backend", STRING, "what builds the sandbox"),
                  required("isolated", BOOLEAN, "whether anything is isolated"),
                  required("network", STRING, "none or unrestricted"),
                  required("home", STRING, "host or private"),
                  required("rules", STRING, "the same in sentences"),
                  of("limits", OBJECT_ARRAY, "each limit, set or not", limit())));
    };
  }

  private String running() {
    return "The answer has the exit code and the last "
        + settings.tailCharacters()
        + " characters of stdout and of stderr; read_output reads more. A command is killed after "
        + seconds(settings.defaultTimeout())
        + " seconds unless timeout_seconds says otherwise, and nothing that it starts outlives it:"
        + " use start_command for servers. "
        + words.text();
  }

  private ToolDescription running(ToolName tool, String title, String description, ToolField what) {
    List<ToolField> parameters =
        List.of(
            what,
            cwd(),
            optional("stdin", STRING, "its whole standard input; empty unless given"),
            optional(
                "timeout_seconds",
                NUMBER,
                "when it is killed: more than 0 and at most " + seconds(settings.maxTimeout())));
    return new ToolDescription(
        tool, title, description, parameters, report(), false, true, words.isOnline());
  }

  private static ToolDescription reading(
      ToolName tool,
      String title,
      String description,
      List<ToolField> parameters,
      List<ToolField> results) {
    return new ToolDescription(tool, title, description, parameters, results, true, false, false);
  }

  private static ToolField command() {
    return required("command", STRING, "the shell text");
  }

  private static ToolField cwd() {
    return optional(
        "cwd", STRING, "where it starts, relative to the workspace; the workspace unless given");
  }

  private static List<ToolField> report() {
    return List.of(
        required("id", STRING, "by which read_output finds the rest of what it wrote"),
        required("cwd", STRING, "where it was started"),
        required("outcome", STRING, "exited, signaled, timed_out, limit_exceeded or canceled"),
        required("exitCode", INTEGER, "the exit status, or 128 and the signal"),
        required("timedOut", BOOLEAN, "whether its time was up"),
        optional("limit", STRING, "the limit that ended it"),
        required("limitsHit", STRING_ARRAY, "limits that refused or ended something"),
        required("stdout", STRING, "the end of its output"),
        required("stderr", STRING, "the end of its error output"),
        required("stdoutTruncated", BOOLEAN, "whether stdout lacks the beginning"),
        required("stderrTruncated", BOOLEAN, "whether stderr lacks the beginning"),
        required("stdoutTotalBytes", INTEGER, "how much it wrote"),
        required("stderrTotalBytes", INTEGER, "how much it wrote as errors"),
        required("wallSeconds", NUMBER, "how long it ran"));
  }

  private static List<ToolField> entry() {
    return List.of(
        required("name", STRING, "its name"),
        required("kind", STRING, "file, directory, link or other"),
        required("size", INTEGER, "of a file, in bytes"),
        required("hidden", BOOLEAN, "whether it can be neither read nor written"));
  }

  private static List<ToolField> limit() {
    return List.of(
        required("limit", STRING, "its name"),
        optional("value", STRING, "what is set"),
        required("level", STRING, "full, partial or none"),
        optional("scope", STRING, "tree or process"),
        required("mechanism", STRING, "what keeps it"),
        required("detail", STRING, "why"));
  }

  private static String seconds(Duration time) {
    return number(time.toNanos() / 1e9);
  }

  /** Without a fraction where there is none. */
  static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
