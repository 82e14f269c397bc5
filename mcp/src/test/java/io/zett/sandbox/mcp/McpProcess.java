package io.zett.sandbox.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The real server in a JVM of its own, spoken to line by line. Each line that it writes has to be a
 * message. A limit of time is on everything, so that a hang is a failure and not a hang of the
 * build.
 */
final class McpProcess implements AutoCloseable {
  private static final int SECONDS = 60;
  private static final McpJsonMapper JSON = McpJsonDefaults.getMapper();

  private final Process process;
  private final List<Map<String, Object>> messages = new ArrayList<>();
  private final CompletableFuture<Void> out;
  private final CompletableFuture<String> err;
  private int lastId;

  private McpProcess(Process process) {
    this.process = process;
    // Threads of their own: the common pool of a small machine has one, and both of these block.
    Executor reader = task -> Thread.ofPlatform().daemon().start(task);
    out = CompletableFuture.runAsync(this::readMessages, reader);
    err = CompletableFuture.supplyAsync(this::readErrors, reader);
  }

  /**
   * Starts it.
   *
   * @param temporary where the server keeps its own directories
   */
  static McpProcess start(Path temporary, String... options) throws IOException {
    return start(Main.class, temporary, options);
  }

  static McpProcess start(Class<?> main, Path temporary, String... options) throws IOException {
    return new McpProcess(new ProcessBuilder(command(main, temporary, options)).start());
  }

  /** The words that start it. */
  static List<String> command(Class<?> main, Path temporary, String... options) {
    List<String> words =
        new ArrayList<>(
            List.of(
                // A background job of a shell may have been started with SIGINT ignored: not so
                // here.
                "/usr/bin/env",
                "--default-signal=INT,HUP,TERM,PIPE",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                "mcp"));
    words.addAll(List.of(options));
    return words;
  }

  /** Introduces a client. */
  McpProcess initialized() throws Exception {
    answer(
        request(
            "initialize",
            Map.of(
                "protocolVersion",
                "2025-11-25",
                "capabilities",
                Map.of(),
                "clientInfo",
                Map.of("name", "test", "version", "1"))));
    notify("notifications/initialized", Map.of());
    return this;
  }

  /** Sends a request and returns its id. */
  int request(String method, Map<String, ?> params) throws IOException {
    int id = ++lastId;
    send(Map.of("jsonrpc", "2.0", "id", id, "method", method, "params", params));
    return id;
  }

  void notify(String method, Map<String, ?> params) throws IOException {
    send(Map.of("jsonrpc", "2.0", "method", method, "params", params));
  }

  /** Begins a call of a tool and returns the request's id. */
  int begin(String tool, Map<String, ?> arguments) throws IOException {
    return request("tools/call", Map.of("name", tool, "arguments", arguments));
  }

  /** The same for a client that wants to be told of progress. */
  int begin(String tool, Map<String, ?> arguments, Object progressToken) throws IOException {
    return request(
        "tools/call",
        Map.of(
            "name", tool, "arguments", arguments, "_meta", Map.of("progressToken", progressToken)));
  }

  /** Calls a tool; the result with {@code content}, {@code structuredContent}, {@code isError}. */
  Map<String, Object> call(String tool, Map<String, ?> arguments) throws Exception {
    return result(begin(tool, arguments));
  }

  /** The structured content of a call that is no error. */
  Map<String, Object> run(String command) throws Exception {
    return structured(call("run_command", Map.of("command", command)));
  }

  Map<String, Object> result(int id) throws Exception {
    Map<String, Object> answer = answer(id);
    assertThat(answer).containsKey("result");
    return object(answer.get("result"));
  }

  static Map<String, Object> structured(Map<String, Object> result) {
    assertThat(result).containsEntry("isError", false);
    return object(result.get("structuredContent"));
  }

  static String text(Map<String, Object> result) {
    assertThat(result.get("content"))
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
        .hasSize(1);
    Map<String, Object> content =
        object(((List<?>) java.util.Objects.requireNonNull(result.get("content"))).getFirst());
    assertThat(content).containsEntry("type", "text");
    return String.valueOf(content.get("text"));
  }

  /** The answer to a request, whenever it comes. */
  Map<String, Object> answer(int id) throws Exception {
    return await(message -> Integer.valueOf(id).equals(message.get("id")));
  }

  /** The first message of a kind. */
  Map<String, Object> await(Predicate<Map<String, Object>> wanted) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    synchronized (messages) {
      while (true) {
        var found = messages.stream().filter(wanted).findFirst();
        if (found.isPresent()) {
          return found.get();
        }
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        assertThat(left).as("waiting for a message among %s", messages).isPositive();
        assertThat(out).as("the server ends while a message is awaited").isNotDone();
        messages.wait(Math.min(left, 1000));
      }
    }
  }

  /** All that has come so far. */
  List<Map<String, Object>> messages() {
    synchronized (messages) {
      return List.copyOf(messages);
    }
  }

  private void send(Map<String, ?> message) throws IOException {
    sendLine(JSON.writeValueAsString(message));
  }

  void sendLine(String line) throws IOException {
    sendBytes((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  void sendBytes(byte[] bytes) throws IOException {
    process.getOutputStream().write(bytes);
    process.getOutputStream().flush();
  }

  void closeInput() throws IOException {
    process.getOutputStream().close();
  }

  /** Leaves what the server writes unread from now on. */
  void closeOutput() throws Exception {
    process.getInputStream().close();
    // The pipe stays whole until the read that waits in it returns.
    request("ping", Map.of());
    out.get(SECONDS, TimeUnit.SECONDS);
  }

  void signal(String name) throws Exception {
    Process kill =
        new ProcessBuilder("/bin/sh", "-c", "kill -" + name + " " + process.pid()).start();
    assertThat(kill.waitFor()).isZero();
  }

  /** Its exit status, once it has ended and nothing but messages was read. */
  int end() throws Exception {
    assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).as("it ends").isTrue();
    out.get(SECONDS, TimeUnit.SECONDS);
    return process.exitValue();
  }

  String errors() throws Exception {
    return err.get(SECONDS, TimeUnit.SECONDS);
  }

  /** Leaves the server, which has to end by itself. */
  @Override
  public void close() throws IOException, InterruptedException {
    try {
      closeInput();
    } catch (IOException e) {
      // It has ended already.
    }
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new AssertionError("the server goes on though its client has left");
    }
  }

  private void readMessages() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      String line;
      while ((line = lines.readLine()) != null) {
        Map<String, Object> message = object(JSON.readValue(line, Object.class));
        assertThat(message).containsEntry("jsonrpc", "2.0");
        synchronized (messages) {
          messages.add(message);
          messages.notifyAll();
        }
      }
    } catch (IOException e) {
      // The test has closed it.
    }
  }

  private String readErrors() {
    try {
      return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** A JSON object. */
  static Map<String, Object> object(@org.jspecify.annotations.Nullable Object value) {
    assertThat(value).isInstanceOf(Map.class);
    Map<String, Object> object = new LinkedHashMap<>();
    ((Map<?, ?>) java.util.Objects.requireNonNull(value))
        .forEach((key, one) -> object.put(String.valueOf(key), one));
    return object;
  }

  /** Whether any process of this machine has a text among its arguments. */
  static boolean isRunning(String argument) {
    File[] processes = new File("/proc").listFiles((folder, name) -> name.matches("\\d+"));
    assertThat(processes).isNotNull();
    for (File one : processes) {
      try {
        byte[] line = Files.readAllBytes(one.toPath().resolve("cmdline"));
        if (List.of(new String(line, StandardCharsets.UTF_8).split("\0", -1)).contains(argument)) {
          return true;
        }
      } catch (IOException e) {
        // It ended while we looked.
      }
    }
    return false;
  }
}
