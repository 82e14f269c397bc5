package io.zett.sandbox.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The manual page zett(1), written from the model that parses the command line (man(7)). */
final class ManPage {
  private final StringBuilder page = new StringBuilder();

  private ManPage() {}

  static String of(CommandSpec root) {
    ManPage page = new ManPage();
    page.macro("TH ZETT 1 \"\" \"zett " + Version.text() + "\"");
    page.macro("SH NAME");
    page.line("zett - runs commands in a sandbox");
    page.macro("SH SYNOPSIS");
    Map<String, CommandLine> commands = root.subcommands();
    page.synopses(commands);
    page.macro("SH EXAMPLE");
    page.verbatim(List.of(Commands.EXAMPLE));
    page.macro("SH COMMANDS");
    page.commands("zett ", commands);
    return page.page.toString();
  }

  /** A command that has commands is shown by them. */
  private void synopses(Map<String, CommandLine> commands) {
    for (CommandLine command : commands.values()) {
      if (command.getSubcommands().isEmpty()) {
        synopsis(command.getCommandSpec());
      } else {
        synopses(command.getSubcommands());
      }
    }
  }

  private void commands(String before, Map<String, CommandLine> commands) {
    commands.forEach(
        (name, command) -> {
          if (command.getSubcommands().isEmpty()) {
            command(before + name, command.getCommandSpec());
          } else {
            commands(before + name + " ", command.getSubcommands());
          }
        });
  }

  private void synopsis(CommandSpec spec) {
    for (String line : spec.usageMessage().customSynopsis()) {
      macro("br");
      line(line.replaceFirst("^ *or: *", ""));
    }
  }

  private void command(String name, CommandSpec spec) {
    macro("SS " + name);
    UsageMessageSpec usage = spec.usageMessage();
    paragraphs(usage.header());
    for (OptionSpec option : spec.options()) {
      macro("TP");
      String names =
          String.join("\\fR, \\fB", List.of(option.names()).stream().map(ManPage::escape).toList());
      String value =
          option.arity().max() == 0 ? "" : " \\fI" + escape(option.paramLabel()) + "\\fR";
      page.append("\\fB").append(names).append("\\fR").append(value).append('\n');
      for (String text : option.description()) {
        line(text);
      }
    }
    paragraphs(usage.footer());
  }

  /** Indented lines stay as they are; the others flow. */
  private void paragraphs(String[] lines) {
    for (String line : lines) {
      if (line.isBlank()) {
        macro("PP");
      } else if (line.startsWith("  ")) {
        verbatim(List.of(line.strip()));
      } else {
        line(line);
      }
    }
  }

  private void verbatim(List<String> lines) {
    macro("RS");
    macro("nf");
    lines.forEach(this::line);
    macro("fi");
    macro("RE");
  }

  private void macro(String macro) {
    page.append('.').append(macro).append('\n');
  }

  private void line(String text) {
    page.append(escape(text)).append('\n');
  }

  /** A line that begins with a point or a quotation mark would be a macro. */
  private static String escape(String text) {
    String escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "\\[u2026]");
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }
}
