package io.zett.sandbox.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.tools.ToolName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@EnabledOnOs(value = OS.LINUX, disabledReason = "commands are isolated on Linux only")
class StdioServerTest {
  @TempDir Path temporary;
  @TempDir Path project;

  @AfterEach
  void nothingIsLeft() {
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void theServerSaysWhoItIsAndWhatItsToolsAre() throws Exception {
    try (McpProcess server = McpProcess.start(temporary)) {
      server.initialized();
      Map<String, Object> introduction = server.result(1);
      assertThat(introduction).containsEntry("protocolVersion", "2025-11-25");
      assertThat(McpProcess.object(introduction.get("serverInfo")))
          .containsEntry("name", "zett-sandbox");
      assertThat(String.valueOf(introduction.get("instructions"))).contains("no network");
      List<Map<String, Object>> tools = tools(server);
      assertThat(tools)
          .extracting(tool -> tool.get("name"))
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(ToolName.values()).map(ToolName::wireName).toList());
      assertThat(tools)
          .allSatisfy(
              tool -> {
                assertThat(tool).containsKeys("title", "description", "inputSchema");
                assertThat(McpProcess.object(tool.get("outputSchema")))
                    .containsEntry("type", "object");
                assertThat(McpProcess.object(tool.get("annotations")))
                    .containsEntry("openWorldHint", false)
                    .containsEntry("readOnlyHint", !isDestructive(tool))
                    .containsEntry("destructiveHint", isDestructive(tool));
              });
      server.closeInput();
      assertThat(server.end()).isZero();
      assertThat(server.errors()).isEmpty();
    }
  }

  private static boolean isDestructive(Map<String, Object> tool) {
    return String.valueOf(tool.get("name")).matches("(run|start|stop|write|send)_.*");
  }

  private static List<Map<String, Object>> tools(McpProcess server) throws Exception {
    Object tools = server.result(server.request("tools/list", Map.of())).get("tools");
    assertThat(tools).isInstanceOf(List.class);
    return ((List<?>) java.util.Objects.requireNonNull(tools))
        .stream().map(McpProcess::object).toList();
  }

  @Test
  void aCommandThatFailsIsAResult() throws Exception {
    try (McpProcess server = McpProcess.start(temporary).initialized()) {
      Map<String, Object> result =
          server.call("run_command", Map.of("command", "echo out; echo err >&2; exit 3"));
      assertThat(McpProcess.structured(result))
          .containsEntry("outcome", "exited")
          .containsEntry("exitCode", 3)
          .containsEntry("stdout", "out\n")
          .containsEntry("stderr", "err\n");
      assertThat(McpProcess.text(result)).contains("<exit_code>3</exit_code>", "out\n", "err\n");
      Map<String, Object> late =
          server.call(
              "run_program", Map.of("argv", List.of("sleep", "1000"), "timeout_seconds", 0.05));
      assertThat(McpProcess.structured(late)).containsEntry("outcome", "timed_out");
    }
  }

  @Test
  void whatAToolCannotDoIsItsErrorAndNotTheProtocols() throws Exception {
    try (McpProcess server = McpProcess.start(temporary).initialized()) {
      Map<String, Object> result = server.call("read_file", Map.of("path", "/etc/hostname"));
      assertThat(result).containsEntry("isError", true).doesNotContainKey("structuredContent");
      assertThat(McpProcess.text(result)).contains("not in the workspace");
      assertThat(server.call("run_command", Map.of("cmd", "true"))).containsEntry("isError", true);
      assertThat(server.answer(server.begin("no_such_tool", Map.of())))
          .containsKey("error")
          .doesNotContainKey("result");
      server.sendLine(
          "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"tools/call\",\"params\":[7]}");
      assertThat(
              McpProcess.object(
                  server.await(message -> "x".equals(message.get("id"))).get("error")))
          .containsEntry("code", -32602)
          .containsEntry("message", "params: an object is needed");
    }
  }

  @Test
  void aClientThatIsNotReadyYetIsAnswered() throws Exception {
    try (McpProcess server = McpProcess.start(temporary)) {
      server.sendLine("{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}");
      assertThat(server.await(message -> "p".equals(message.get("id"))))
          .containsEntry("result", Map.of());
      server.sendLine("{\"jsonrpc\":\"2.0\",\"id\":\"c\",\"method\":\"tools/call\"}");
      assertThat(server.await(message -> "c".equals(message.get("id"))).get("error").toString())
          .contains("name a tool");
      server.closeOutput();
      server.sendLine("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"ping\"}");
      assertThat(server.end()).isZero();
    }
  }

  @Test
  void whatIsNoMessageIsRefusedAndTheNextOneIsTaken() throws Exception {
    try (McpProcess server = McpProcess.start(temporary).initialized()) {
      server.sendLine("garbage");
      server.sendLine("{\"jsonrpc\":\"2.0\",\"id\":");
      server.sendLine("[]");
      server.sendLine("{}");
      server.sendLine("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}");
      server.sendLine("{\"jsonrpc\":\"2.0\",\"id\":{\"a\":1},\"method\":\"ping\"}");
      server.sendLine("[".repeat(100_000));
      server.sendLine("x".repeat(InputLines.MOST_BYTES + 1));
      server.sendLine("");
      server.sendBytes(new byte[] {0, (byte) 0xff, (byte) 0xfe, '\n'});
      server.sendLine("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"no/such\"}");
      server.sendLine("{\"jsonrpc\":\"2.0\",\"id\":\"y\",\"method\":\"tools/call\",\"params\":7}");
      server.notify("notifications/cancelled", Map.of("requestId", 99));
      server.notify("notifications/cancelled", Map.of());
      server.notify("notifications/no_such", Map.of());
      assertThat(server.run("echo still here")).containsEntry("stdout", "still here\n");
      List<Map<String, Object>> errors =
          server.messages().stream().filter(message -> message.containsKey("error")).toList();
      assertThat(errors).hasSize(11);
      assertThat(errors).filteredOn(message -> message.get("id") == null).hasSize(9);
      assertThat(errors).extracting(message -> message.get("id")).contains("x", "y");
      server.sendBytes("{\"jsonrpc\":\"2.0\",\"id\":77,\"me".getBytes(StandardCharsets.UTF_8));
      server.closeInput();
      assertThat(server.end()).isZero();
    }
  }

  @Test
  void requestsAreAnsweredWhileACommandRunsAndCommandsRunSideBySide() throws Exception {
    try (McpProcess server = McpProcess.start(temporary).initialized()) {
      int waiting =
          server.begin(
              "run_command", Map.of("command", "while [ ! -e go ]; do sleep 0.05; done; cat go"));
      server.answer(server.request("ping", Map.of()));
      assertThat(server.run("echo from the second > go.new; mv go.new go"))
          .containsEntry("exitCode", 0);
      assertThat(McpProcess.structured(server.result(waiting)))
          .containsEntry("stdout", "from the second\n");
      // Nobody asked to be told.
      assertThat(server.messages()).noneMatch(message -> message.containsKey("method"));
    }
  }

  @Test
  void aRequestWithTheIdOfARunningOneIsRefused() throws Exception {
    try (McpProcess server = McpProcess.start(temporary).initialized()) {
      int waiting =
          server.begin("run_command", Map.of("command", "while [ ! -e go ]; do sleep 0.05; done"));
      server.sendLine("{\"jsonrpc\":\"2.0\",\"id\":" + waiting + ",\"method\":\"ping\"}");
      assertThat(server.answer(waiting)).containsKey("error");
      server.run("touch go");
      server.await(
          message ->
              Integer.valueOf(waiting).equals(message.get("id")) && message.containsKey("result"));
    }
  }

  @Test
  void progressIsToldUntilTheAnswer() throws Exception {
    try (McpProcess server = McpProcess.start(temporary).initialized()) {
      int waiting =
          server.begin(
              "run_command",
              Map.of("command", "while [ ! -e go ]; do sleep 0.05; done", "timeout_seconds", 50),
              "token 1");
      Map<String, Object> progress =
          server.await(message -> "notifications/progress".equals(message.get("method")));
      assertThat(McpProcess.object(progress.get("params")))
          .containsEntry("progressToken", "token 1")
          .containsEntry("progress", 1.0)
          .containsEntry("total", 50.0)
          .containsEntry("message", "running for 1 s");
      server.run("touch go");
      assertThat(McpProcess.structured(server.result(waiting))).containsEntry("exitCode", 0);
      int messages = server.messages().size();
      server.answer(server.request("ping", Map.of()));
      assertThat(server.messages()).hasSize(messages + 1);
    }
  }

  @Test
  void cancelingARequestEndsItsCommandAndItHasNoAnswer() throws Exception {
    String unique = unique();
    try (McpProcess server = McpProcess.start(temporary).initialized()) {
      int canceled = beginUntilStarted(server, unique);
      server.notify(
          "notifications/cancelled", Map.of("requestId", canceled, "reason", "no more wanted"));
      // The command held the lock, so it has ended when another one gets it.
      assertThat(server.run("flock lock true")).containsEntry("exitCode", 0);
      assertThat(McpProcess.isRunning(unique)).isFalse();
      server.closeInput();
      assertThat(server.end()).isZero();
      assertThat(server.messages())
          .noneMatch(message -> Integer.valueOf(canceled).equals(message.get("id")));
    }
  }

  /** A command that has a lock on the file {@code lock} and does not end. */
  private static int beginUntilStarted(McpProcess server, String unique) throws Exception {
    int id =
        server.begin(
            "run_command",
            Map.of("command", "flock lock sh -c 'touch started; exec sleep " + unique + "'"));
    server.run("while [ ! -e started ]; do sleep 0.05; done");
    assertThat(McpProcess.isRunning(unique)).isTrue();
    return id;
  }

  /** Seconds to sleep that no other process of this machine sleeps. */
  private static String unique() {
    return "1000000" + ProcessHandle.current().pid() + "." + (System.nanoTime() & 0xff_ffff);
  }

  @Test
  void theEndOfTheInputEndsEverything() throws Exception {
    String unique = unique();
    String background = unique();
    try (McpProcess server = McpProcess.start(temporary).initialized()) {
      server.call("start_command", Map.of("command", "exec sleep " + background));
      beginUntilStarted(server, unique);
      server.closeInput();
      assertThat(server.end()).isZero();
      assertThat(McpProcess.isRunning(unique)).isFalse();
      assertThat(McpProcess.isRunning(background)).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({"TERM, 143", "INT, 130", "HUP, 129"})
  void aSignalEndsEverything(String signal, int status) throws Exception {
    String unique = unique();
    try (McpProcess server = McpProcess.start(temporary).initialized()) {
      beginUntilStarted(server, unique);
      server.signal(signal);
      assertThat(server.end()).isEqualTo(status);
      assertThat(McpProcess.isRunning(unique)).isFalse();
    }
  }

  @Test
  void aClientThatSaysNothingLeavesNothing() throws Exception {
    try (McpProcess server = McpProcess.start(temporary)) {
      server.closeInput();
      assertThat(server.end()).isZero();
      assertThat(server.messages()).isEmpty();
      assertThat(server.errors()).isEmpty();
    }
  }

  @Test
  void aSignalEndsAServerWhoseClientDoesNotRead() throws Exception {
    Process server = new ProcessBuilder(McpProcess.command(Main.class, temporary)).start();
    try (var in = server.getOutputStream()) {
      in.write(
          ("{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'2025-11-25',"
                  + "'capabilities':{},'clientInfo':{'name':'test','version':'1'}}}\n"
                  + "{'jsonrpc':'2.0','method':'notifications/initialized'}\n")
              .replace('\'', '"')
              .getBytes(StandardCharsets.UTF_8));
      for (int id = 2; id < 100; id++) { // Far more is answered than a pipe holds.
        in.write(
            ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/list\"}\n")
                .getBytes(StandardCharsets.UTF_8));
      }
      in.flush();
      // It answers, and does not get further than the pipe.
      assertThat(server.getInputStream().read()).isEqualTo('{');
      assertThat(new ProcessBuilder("/bin/kill", "-TERM", "" + server.pid()).start().waitFor())
          .isZero();
      assertThat(server.waitFor(60, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
      assertThat(server.exitValue()).isEqualTo(143);
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void aClientThatReadsNoMoreEndsEverything() throws Exception {
    String unique = unique();
    try (McpProcess server = McpProcess.start(temporary).initialized()) {
      beginUntilStarted(server, unique);
      server.closeOutput();
      server.request("ping", Map.of());
      assertThat(server.end()).isZero();
      assertThat(McpProcess.isRunning(unique)).isFalse();
    }
  }

  @Test
  void theEndOfABigOutputIsAnsweredAndTheRestIsPaged() throws Exception {
    int total = 600_000;
    try (McpProcess server = McpProcess.start(temporary).initialized()) {
      Map<String, Object> report =
          server.run("head -c " + total + " /dev/zero | tr '\\0' x; echo end");
      assertThat(report)
          .containsEntry("stdoutTotalBytes", total + 4)
          .containsEntry("stdoutTruncated", true);
      assertThat(String.valueOf(report.get("stdout"))).hasSize(30_000).endsWith("xend\n");
      StringBuilder all = new StringBuilder();
      while (all.length() < total + 4) {
        Map<String, Object> page =
            McpProcess.structured(
                server.call(
                    "read_output",
                    Map.of("id", String.valueOf(report.get("id")), "offset", all.length())));
        String text = String.valueOf(page.get("text"));
        assertThat(text).isNotEmpty();
        all.append(text);
      }
      assertThat(all.toString()).isEqualTo("x".repeat(total) + "end\n");
    }
  }

  @Test
  void manyCommandsRunAtOnce() throws Exception {
    int count = 30;
    try (McpProcess server = McpProcess.start(temporary).initialized()) {
      // Each waits until all have begun.
      String all =
          "touch begun.$$.$(head -c 8 /dev/urandom | od -An -tx1 | tr -d ' \\n');"
              + " while [ $(ls | grep -c begun) -lt "
              + count
              + " ]; do sleep 0.2; done";
      List<Integer> ids = new java.util.ArrayList<>();
      for (int i = 0; i < count; i++) {
        ids.add(server.begin("run_command", Map.of("command", all)));
      }
      for (int id : ids) {
        assertThat(McpProcess.structured(server.result(id))).containsEntry("exitCode", 0);
      }
    }
  }

  @Test
  void aWorkspaceOfTheCallersIsKept() throws Exception {
    Files.createDirectories(project.resolve(".git/hooks"));
    Files.createFile(project.resolve(".git/HEAD"));
    Path real = project.toRealPath();
    try (McpProcess server =
        McpProcess.start(temporary, "--workspace", project.toString()).initialized()) {
      assertThat(server.run("pwd; echo kept > file")).containsEntry("stdout", real + "\n");
      // What git executes on the host stays as it is.
      assertThat(server.run("touch .git/hooks/pre-commit").get("exitCode")).isNotEqualTo(0);
      server.closeInput();
      assertThat(server.end()).isZero();
    }
    assertThat(project.resolve("file")).hasContent("kept");
    assertThat(project.resolve(".git/hooks")).isEmptyDirectory();
  }

  @Test
  void optionsMakeThePolicy() throws Exception {
    Files.createDirectories(project.resolve(".git/hooks"));
    Files.createFile(project.resolve(".git/HEAD"));
    try (McpProcess server =
        McpProcess.start(
                temporary,
                "--workspace",
                project.toString(),
                "--no-protect-developer-files",
                "--network",
                "--env",
                "WORD=said",
                "--timeout",
                "0.3",
                "--home",
                "private",
                "--warm",
                "1")
            .initialized()) {
      assertThat(server.run("touch .git/hooks/pre-commit; echo $WORD; touch ~/x"))
          .containsEntry("stdout", "said\n")
          .containsEntry("exitCode", 0);
      assertThat(server.run("sleep 1000")).containsEntry("timedOut", true);
      assertThat(McpProcess.structured(server.call("get_capabilities", Map.of())))
          .containsEntry("network", "unrestricted")
          .containsEntry("home", "private");
      assertThat(tools(server))
          .filteredOn(tool -> "run_command".equals(tool.get("name")))
          .allSatisfy(
              tool ->
                  assertThat(McpProcess.object(tool.get("annotations")))
                      .containsEntry("openWorldHint", true));
    }
    assertThat(project.resolve(".git/hooks/pre-commit")).exists();
  }

  @Test
  void aLongTimeoutIsAlsoTheLongestThatACallMayAskFor() throws Exception {
    try (McpProcess server = McpProcess.start(temporary, "--timeout", "3600").initialized()) {
      assertThat(tools(server))
          .filteredOn(tool -> "run_command".equals(tool.get("name")))
          .allSatisfy(
              tool -> assertThat(tool.toString()).contains("after 3600 seconds", "at most 3600"));
      Map<String, Object> asked = Map.of("command", "true", "timeout_seconds", 3601);
      assertThat(server.call("run_command", asked)).containsEntry("isError", true);
    }
  }

  @Test
  void wrongUsageIsToldOnStandardError() throws Exception {
    for (List<String> wrong :
        List.of(
            List.of("--memroy", "1G"),
            List.of("--timeout", "none"),
            List.of("--workspace", "/no/such"),
            List.of("--protect-developer-files", "--no-protect-developer-files"),
            List.of("word"))) {
      try (McpProcess server = McpProcess.start(temporary, wrong.toArray(String[]::new))) {
        assertThat(server.end()).as("%s", wrong).isEqualTo(2);
        assertThat(server.messages()).isEmpty();
        assertThat(server.errors()).startsWith("zett: ").doesNotContain("Exception");
      }
    }
  }

  @Test
  void whatElseIsPrintedGoesToStandardError() throws Exception {
    try (McpProcess server = McpProcess.start(NoisyMain.class, temporary).initialized()) {
      server.closeInput();
      assertThat(server.end()).isZero();
      assertThat(server.errors()).contains("a library prints this");
    }
  }
}
