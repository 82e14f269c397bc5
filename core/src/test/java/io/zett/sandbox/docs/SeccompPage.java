package io.zett.sandbox.docs;

import io.zett.sandbox.backend.bubblewrap.ArgumentTest;
import io.zett.sandbox.backend.bubblewrap.SeccompOptions;
import io.zett.sandbox.backend.bubblewrap.SeccompRule;
import io.zett.sandbox.backend.bubblewrap.SeccompTable;
import io.zett.sandbox.backend.bubblewrap.SystemCall;
import io.zett.sandbox.posix.Architecture;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The page about refused system calls, made from the table that the filter is compiled from. */
final class SeccompPage {
  private static final String HEAD =
      """
      # Refused system calls

      Each command runs under a seccomp filter; this page is made from the table that the filter is compiled
      from (`SeccompTable`), and a test compares the two. Every call that is not here is allowed. The error is
      one that programs already handle: `ENOSYS` where C libraries fall back to an older call.

      Calls of a foreign architecture (32-bit programs) end the process; numbers of the x32 interface are
      unknown (`ENOSYS`). Only the low 32 bits of an argument are compared, as the kernel does for integers.
      If the workspace has the set-group-id bit, only the set-user-id bit (04000) is refused, since copying a
      directory in it sets the other one.

      | calls | refused when | error | why |
      |---|---|---|---|
      """;

  private SeccompPage() {}

  static String text() {
    StringBuilder page = new StringBuilder(HEAD);
    merged().forEach(rule -> page.append(row(rule)));
    page.append("\n¹ not on AArch64\n");
    return page.toString();
  }

  /** Rules that differ in the call alone, and in the place of the argument that goes with it. */
  private static List<SeccompRule> merged() {
    Map<String, List<SeccompRule>> alike = new LinkedHashMap<>();
    for (SeccompRule rule : SeccompTable.rules(SeccompOptions.DEFAULT)) {
      alike.computeIfAbsent(condition(rule) + rule.why(), _ -> new ArrayList<>()).add(rule);
    }
    return alike.values().stream()
        .map(
            rules ->
                new SeccompRule(
                    rules.stream().flatMap(rule -> rule.calls().stream()).toList(),
                    rules.getFirst().tests(),
                    rules.getFirst().refusal(),
                    rules.getFirst().why()))
        .toList();
  }

  private static String row(SeccompRule rule) {
    String calls =
        rule.calls().stream()
            .sorted(Comparator.comparing(SystemCall::toString))
            .map(SeccompPage::name)
            .collect(Collectors.joining(" "));
    return "| "
        + calls
        + " | "
        + condition(rule)
        + " | "
        + rule.refusal()
        + " | "
        + rule.why()
        + " |\n";
  }

  private static String name(SystemCall call) {
    boolean everywhere = call.number(Architecture.AARCH64) != SystemCall.NONE;
    return "`" + call + "`" + (everywhere ? "" : "¹");
  }

  private static String condition(SeccompRule rule) {
    if (rule.tests().isEmpty()) {
      return "always";
    }
    String call = rule.calls().getFirst().toString();
    return rule.tests().stream()
        .map(test -> what(call, test) + " " + values(call, test))
        .collect(Collectors.joining(" and "));
  }

  private static String what(String call, ArgumentTest test) {
    return switch (call) {
      case "socket", "socketpair" -> test.argument() == 0 ? "the family" : "the protocol";
      case "clone", "unshare" -> "the flags";
      case "ioctl" -> "the request";
      case "open" -> test.argument() == 1 ? "the flags" : "the mode";
      case "openat" -> test.argument() == 2 ? "the flags" : "the mode";
      default -> "the mode";
    };
  }

  private static String values(String call, ArgumentTest test) {
    boolean mode = what(call, test).equals("the mode");
    return switch (test) {
      case ArgumentTest.AnyBit(_, int bits) when mode -> "has any of 0%o".formatted(bits);
      case ArgumentTest.AnyBit(_, int bits) -> "have any of %#x".formatted(bits);
      case ArgumentTest.OneOf(_, List<Integer> values) -> "is " + names(call, test, values);
      case ArgumentTest.NoneOf(_, List<Integer> values) -> "is not " + names(call, test, values);
    };
  }

  private static String names(String call, ArgumentTest test, List<Integer> values) {
    return values.stream()
        .map(value -> valueName(call, test.argument(), value))
        .collect(Collectors.joining(" or "));
  }

  private static String valueName(String call, int argument, int value) {
    return switch (call + argument + ":" + value) {
      case "socket0:1", "socketpair0:1" -> "`AF_UNIX`";
      case "socket0:2" -> "`AF_INET`";
      case "socket0:10" -> "`AF_INET6`";
      case "socket0:16" -> "`AF_NETLINK`";
      case "socket2:0" -> "`NETLINK_ROUTE`";
      case "ioctl1:21522" -> "`TIOCSTI`";
      case "ioctl1:21532" -> "`TIOCLINUX`";
      default -> "%#x".formatted(value);
    };
  }
}
