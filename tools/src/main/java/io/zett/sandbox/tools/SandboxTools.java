package io.zett.sandbox.tools;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxException;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The tools of an agent over one open session: run commands, read and write files, and talk to
 * commands in the background.
 *
 * <pre>{@code
 * try (var tools = SandboxTools.builder(session).build()) {
 *   CommandReport report = tools.run(RunRequest.shell("make test").timeout(120));
 *   ToolResult same = tools.call("run_command", Map.of("command", "make test"));
 * }
 * }</pre>
 *
 * <p>Each method is a tool; {@link #call} does the same by name with the arguments of a model, and
 * {@link #descriptions} is what that model is told. What the caller of a tool did wrong, and what
 * the sandbox cannot do, is a {@link ToolException}; a command that fails is a report. Memory is
 * bounded: of each stream of a command the last bytes are kept, of ended commands the last few.
 * Thread-safe; a thread that waits for a command and is interrupted kills it.
 */
public final class SandboxTools implements AutoCloseable {
  private static final Duration STOP_GRACE = Duration.ofSeconds(2);
  private static final double MOST_WAIT_SECONDS = 60;
  private static final int MOST_INPUT_BYTES = 65_536;
  // Beyond this, what nobody has begun to read would be let go; the tools read at once.
  private static final long WAITING_BYTES = 1_048_576;

  private final SandboxSession session;
  private final boolean owned;
  private final ToolSettings settings;
  private final CommandTable commands;
  private final FileTools files;
  private final PolicyWords words;
  private final Catalogue catalogue;
  private final ReentrantLock starting = new ReentrantLock();
  private volatile boolean closed;

  private SandboxTools(SandboxSession session, boolean owned, ToolSettings settings) {
    this.session = session;
    this.owned = owned;
    this.settings = settings;
    this.commands = new CommandTable(settings.keptCommands(), settings.maxBackground());
    this.files = new FileTools(session, settings);
    this.words = new PolicyWords(session.policy(), session.capabilities());
    this.catalogue = new Catalogue(words, settings);
  }

  /**
   * A builder of tools over a session.
   *
   * @param session an open one
   * @throws io.zett.sandbox.SandboxClosedException if it is not open
   */
  public static Builder builder(SandboxSession session) {
    return new Builder(session);
  }

  /** What models are told, a description for each {@link ToolName}, in its order. */
  public List<ToolDescription> descriptions() {
    return catalogue.descriptions();
  }

  /** What models are told of one tool. */
  public ToolDescription description(ToolName tool) {
    return descriptions().get(tool.ordinal());
  }

  /** The session. */
  public SandboxSession session() {
    return session;
  }

  /**
   * Runs a command and waits for its end; {@code run_command} and {@code run_program}. If this
   * thread is interrupted, the command is killed, its outcome is {@link
   * CommandReport.Outcome#CANCELED}, and the flag stays set.
   *
   * @throws ToolException if an argument is wrong or the command could not be started
   */
  public CommandReport run(RunRequest request) {
    Duration timeout = timeout(request.timeoutSeconds(), settings.defaultTimeout());
    SandboxCommand command = command(request).timeout(timeout);
    // An input that was not given is none: only background commands are written to.
    String stdin = request.stdin() == null ? "" : request.stdin();
    KeptCommand kept = start(request, refusing(() -> command.input(stdin)), commands::add);
    return kept.await(settings.tailCharacters());
  }

  /**
   * Starts a command in the background; {@code start_command}. It runs until it ends, its own
   * timeout is up, it is stopped, or these tools are closed.
   *
   * @param request without {@code stdin}; without a timeout there is none
   * @throws ToolException if an argument is wrong, or too many run
   */
  public StartReport start(RunRequest request) {
    if (request.stdin() != null) {
      throw new ToolException("stdin: give it to send_input once the command is started");
    }
    Double seconds = request.timeoutSeconds();
    SandboxCommand command = command(request);
    SandboxCommand timed =
        seconds == null
            ? command.noTimeout()
            : command.timeout(timeout(seconds, settings.maxTimeout()));
    starting.lock();
    try {
      commands.checkBackground();
      KeptCommand kept = start(request, timed, commands::addBackground);
      return new StartReport(kept.id(), kept.cwd());
    } finally {
      starting.unlock();
    }
  }

  private KeptCommand start(
      RunRequest request, SandboxCommand command, java.util.function.Consumer<KeptCommand> table) {
    String cwd = directory(request.cwd());
    String id = commands.nextId();
    KeptCommand kept =
        refusing(
            () ->
                KeptCommand.follow(
                    id,
                    cwd,
                    session.start(command.maxOutputBytes(WAITING_BYTES)),
                    settings.keptBytes()));
    table.accept(kept);
    if (closed) { // Closing did not see it.
      kept.process().close();
      throw new ToolException("the tools are closed");
    }
    return kept;
  }

  private String directory(@Nullable String cwd) {
    return refusing(
        () -> {
          Path workspace = session.workspace();
          return (cwd == null ? workspace : workspace.resolve(cwd).normalize()).toString();
        });
  }

  private SandboxCommand command(RunRequest request) {
    return refusing(
        () -> {
          SandboxCommand command =
              switch (request.what()) {
                case RunRequest.Shell(String text) -> SandboxCommand.shell(text);
                case RunRequest.Program(List<String> argv) -> SandboxCommand.of(argv);
              };
          String cwd = request.cwd();
          return cwd == null ? command : command.cwd(Path.of(cwd));
        });
  }

  private Duration timeout(@Nullable Double seconds, Duration otherwise) {
    if (seconds == null) {
      return otherwise;
    }
    double most = settings.maxTimeout().toNanos() / 1e9;
    if (!(seconds > 0) || seconds > most) {
      throw new ToolException(
          "timeout_seconds: "
              + seconds
              + " is out of range; more than 0 and at most "
              + Catalogue.number(most)
              + (seconds > most ? "; what takes longer is for start_command" : ""));
    }
    return Duration.ofNanos(Math.max(1_000_000, (long) (seconds * 1e9)));
  }

  /**
   * What a command wrote, also one that has ended; {@code read_output}.
   *
   * @param id of a command
   * @param stream {@code stdout} or {@code stderr}; null for the former
   * @param offset in bytes from the beginning; null to go on where the last call without one ended
   * @param waitSeconds how long to wait for something new, 0 to 60; null for 0
   * @throws ToolException if there is no such command or an argument is wrong
   */
  public OutputReport readOutput(
      String id, @Nullable String stream, @Nullable Long offset, @Nullable Double waitSeconds) {
    KeptCommand command = commands.get(id);
    if (stream != null && !stream.equals("stdout") && !stream.equals("stderr")) {
      throw new ToolException("stream: \"" + stream + "\" is none; \"stdout\" or \"stderr\"");
    }
    if (offset != null && offset < 0) {
      throw new ToolException("offset: " + offset + " is negative; 0 is the beginning");
    }
    double wait = waitSeconds == null ? 0 : waitSeconds;
    if (!(wait >= 0 && wait <= MOST_WAIT_SECONDS)) {
      throw new ToolException("wait_seconds: " + wait + " is out of range; from 0 to 60");
    }
    try {
      return command.read(
          "stderr".equals(stream), offset, settings.tailCharacters(), (long) (wait * 1e9));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ToolException("the call was canceled while it waited for output", e);
    }
  }

  /**
   * Writes to a background command; {@code send_input}. Waits at most ten seconds while it does not
   * read and more than 128 KiB are on the way.
   *
   * @param text at most 65,536 bytes in UTF-8
   * @param close whether its input ends with this
   * @throws ToolException if there is no such command, or it reads no more
   */
  public InputReport sendInput(String id, String text, boolean close) {
    KeptCommand command = commands.get(id);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MOST_INPUT_BYTES) {
      throw new ToolException(
          "text: has "
              + bytes.length
              + " bytes, more than "
              + MOST_INPUT_BYTES
              + "; send it in parts, or write_file it and have the command read that");
    }
    try {
      command.send(bytes, close);
      return new InputReport(id, bytes.length, close);
    } catch (IllegalStateException e) {
      throw new ToolException(
          "id: " + id + " was run with its input; only start_command takes more", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ToolException("the call was canceled while it sent input", e);
    }
  }

  /**
   * Ends a command: SIGTERM, and two seconds later SIGKILL to all of it; {@code stop_command}. One
   * that has ended is only reported.
   *
   * @throws ToolException if there is no such command, or it could never be started
   */
  public CommandReport stop(String id) {
    KeptCommand command = commands.get(id);
    command.stop(STOP_GRACE);
    return command.await(settings.tailCharacters());
  }

  /**
   * Reads lines of a text file; {@code read_file}.
   *
   * @param offset the first line, from 1; null for 1
   * @param limit how many lines; null for all, as far as they fit into a report
   * @throws ToolException if it cannot be read or is no UTF-8 text
   */
  public FileReport readFile(String path, @Nullable Long offset, @Nullable Long limit) {
    return refusing(() -> files.read(path, offset, limit));
  }

  /**
   * Puts a text file; {@code write_file}.
   *
   * @throws ToolException if it cannot be written
   */
  public WriteReport writeFile(String path, String content) {
    return refusing(() -> files.write(path, content));
  }

  /**
   * Lists a directory; {@code list_directory}.
   *
   * @param path null for the workspace
   * @throws ToolException if it cannot be listed
   */
  public DirectoryReport listDirectory(@Nullable String path) {
    return refusing(() -> files.list(path == null ? "." : path));
  }

  /** What holds here; {@code get_capabilities}. */
  public Capabilities capabilities() {
    return refusing(
        () ->
            new Capabilities(
                session.workspace().toString(),
                session.policy(),
                session.capabilities(),
                words.text()));
  }

  /**
   * Calls a tool by its name, with arguments as a JSON parser gives them: texts, numbers, booleans,
   * lists; a null is an argument that is not given. Never throws a {@link ToolException}: what is
   * wrong is a result with {@link ToolResult#isError()}.
   *
   * @param name such as {@code run_command}
   */
  public ToolResult call(String name, Map<String, ? extends @Nullable Object> arguments) {
    try {
      return ToolResult.of(ToolCalls.call(this, name, arguments));
    } catch (ToolException e) {
      return ToolResult.of(e);
    }
  }

  private interface Action<T> {
    T apply() throws IOException;
  }

  /** What the library refuses is for the model to read. */
  private static <T> T refusing(Action<T> action) {
    try {
      return action.apply();
    } catch (InvalidPathException e) {
      throw new ToolException("cwd: " + e.getMessage() + "; give another path", e);
    } catch (IllegalArgumentException | SandboxException | IOException e) {
      throw new ToolException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Ends the commands of these tools, and closes the session if it is their own. */
  @Override
  public void close() {
    closed = true;
    List<KeptCommand> all = commands.all();
    all.forEach(KeptCommand::stop);
    all.forEach(command -> command.process().close());
    if (owned) {
      session.close();
    }
  }

  /** Builds {@link SandboxTools}. Not thread-safe. */
  public static final class Builder {
    private final SandboxSession session;
    private boolean owned;
    private int tailCharacters = 30_000;
    private int keptBytes = 1_048_576;
    private int keptCommands = 16;
    private int maxBackground = 8;
    private @Nullable Duration defaultTimeout;
    private Duration maxTimeout = Duration.ofMinutes(10);

    private Builder(SandboxSession session) {
      this.session = Objects.requireNonNull(session, "session");
      session.sandbox();
    }

    /** Whether closing the tools closes the session; it does not unless set. */
    public Builder ownsSession(boolean owns) {
      owned = owns;
      return this;
    }

    /**
     * How much of the end of each stream a report has, how much a page of output, and how much of a
     * file; 30,000 unless set.
     *
     * @param characters 100 to 10,000,000; UTF-16 units for a report, bytes for a page
     */
    public Builder tailCharacters(int characters) {
      tailCharacters = between("tailCharacters", characters, 100, 10_000_000);
      return this;
    }

    /**
     * How many of the last bytes of each stream of a command are kept; 1,048,576 unless set.
     *
     * @param bytes 1,000 to 1,000,000,000
     */
    public Builder keptBytes(int bytes) {
      keptBytes = between("keptBytes", bytes, 1_000, 1_000_000_000);
      return this;
    }

    /**
     * How many ended commands can still be read; 16 unless set.
     *
     * @param commands 1 to 10,000
     */
    public Builder keptCommands(int commands) {
      keptCommands = between("keptCommands", commands, 1, 10_000);
      return this;
    }

    /**
     * How many commands can be in the background at once; 8 unless set.
     *
     * @param commands 1 to 1,000
     */
    public Builder maxBackground(int commands) {
      maxBackground = between("maxBackground", commands, 1, 1_000);
      return this;
    }

    /**
     * The time of a command that is given none; unless set the policy's, or two minutes, but never
     * more than {@link #maxTimeout}.
     *
     * @param limit 1 ms or more
     */
    public Builder defaultTimeout(Duration limit) {
      defaultTimeout = positive("defaultTimeout", limit);
      return this;
    }

    /**
     * The longest time that can be asked for; ten minutes unless set.
     *
     * @param limit 1 ms or more
     */
    public Builder maxTimeout(Duration limit) {
      maxTimeout = positive("maxTimeout", limit);
      return this;
    }

    /** The tools. */
    public SandboxTools build() {
      Duration usual = defaultTimeout;
      if (usual == null) {
        usual = session.policy().timeout().orElse(Duration.ofMinutes(2));
      }
      return new SandboxTools(
          session,
          owned,
          new ToolSettings(
              tailCharacters,
              keptBytes,
              keptCommands,
              maxBackground,
              usual.compareTo(maxTimeout) > 0 ? maxTimeout : usual,
              maxTimeout,
              io.zett.sandbox.SandboxFiles.DEFAULT_MAX_BYTES));
    }

    private static int between(String option, int value, int least, int most) {
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            option + ": " + value + " is out of range; from " + least + " to " + most);
      }
      return value;
    }

    private static Duration positive(String option, Duration limit) {
      long most = TimeUnit.DAYS.toSeconds(30);
      if (limit.compareTo(Duration.ofMillis(1)) < 0 || limit.toSeconds() > most) {
        throw new IllegalArgumentException(
            option + ": " + limit + " is out of range; from 1 ms to 30 days");
      }
      return limit;
    }
  }
}
