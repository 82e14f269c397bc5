package io.zett.sandbox.tools;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** From the arguments of a model to the call of a tool. */
final class ToolCalls {
  private final ToolDescription tool;
  private final Map<String, ? extends @Nullable Object> arguments;

  private ToolCalls(ToolDescription tool, Map<String, ? extends @Nullable Object> arguments) {
    this.tool = tool;
    this.arguments = arguments;
  }

  static ToolReport call(
      SandboxTools tools, String name, Map<String, ? extends @Nullable Object> arguments) {
    ToolName tool =
        Arrays.stream(ToolName.values())
            .filter(one -> one.wireName().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new ToolException(
                        "there is no tool \"" + name + "\"; the tools are " + names()));
    ToolCalls call = new ToolCalls(tools.description(tool), arguments);
    call.check();
    return switch (tool) {
      case RUN_COMMAND -> tools.run(call.request(new RunRequest.Shell(call.text("command"))));
      case RUN_PROGRAM -> tools.run(call.request(new RunRequest.Program(call.texts("argv"))));
      case START_COMMAND -> tools.start(call.request(new RunRequest.Shell(call.text("command"))));
      case READ_FILE ->
          tools.readFile(call.text("path"), call.whole("offset"), call.whole("limit"));
      case WRITE_FILE -> tools.writeFile(call.text("path"), call.text("content"));
      case LIST_DIRECTORY -> tools.listDirectory(call.optional("path"));
      case READ_OUTPUT ->
          tools.readOutput(
              call.text("id"),
              call.optional("stream"),
              call.whole("offset"),
              call.number("wait_seconds"));
      case SEND_INPUT -> {
        String text = call.optional("text");
        yield tools.sendInput(call.text("id"), text == null ? "" : text, call.flag("close"));
      }
      case STOP_COMMAND -> tools.stop(call.text("id"));
      case GET_CAPABILITIES -> tools.capabilities();
    };
  }

  private static String names() {
    return String.join(", ", Arrays.stream(ToolName.values()).map(ToolName::wireName).toList());
  }

  private RunRequest request(RunRequest.What what) {
    return new RunRequest(what, optional("cwd"), optional("stdin"), number("timeout_seconds"));
  }

  private void check() {
    List<String> known = tool.parameters().stream().map(ToolField::name).toList();
    for (String name : arguments.keySet()) {
      if (!known.contains(name)) {
        throw new ToolException(
            tool.name()
                + " has no parameter \""
                + name
                + "\"; it takes "
                + (known.isEmpty() ? "none" : String.join(", ", known)));
      }
    }
    for (ToolField field : tool.parameters()) {
      if (field.required() && arguments.get(field.name()) == null) {
        throw new ToolException(
            tool.name() + " needs \"" + field.name() + "\": " + field.description());
      }
    }
  }

  private String text(String name) {
    String text = optional(name);
    if (text == null) {
      throw new ToolException(tool.name() + " needs \"" + name + "\"");
    }
    return text;
  }

  private @Nullable String optional(String name) {
    Object value = arguments.get(name);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw wrong(name, "a text");
  }

  private List<String> texts(String name) {
    if (!(arguments.get(name) instanceof List<?> list)) {
      throw wrong(name, "a list of texts");
    }
    List<String> texts = new ArrayList<>();
    for (Object one : list) {
      if (!(one instanceof String text)) {
        throw wrong(name, "a list of texts");
      }
      texts.add(text);
    }
    return texts;
  }

  private @Nullable Double number(String name) {
    Object value = arguments.get(name);
    if (value == null) {
      return null;
    }
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    throw wrong(name, "a number");
  }

  private @Nullable Long whole(String name) {
    Double number = number(name);
    if (number == null) {
      return null;
    }
    if (number != Math.rint(number) || Math.abs(number) > 1L << 53) {
      throw wrong(name, "a whole number");
    }
    return number.longValue();
  }

  private boolean flag(String name) {
    Object value = arguments.get(name);
    if (value == null || value instanceof Boolean) {
      return value != null && (Boolean) value;
    }
    throw wrong(name, "true or false");
  }

  private static ToolException wrong(String name, String wanted) {
    return new ToolException(name + ": " + wanted + " is needed");
  }
}
