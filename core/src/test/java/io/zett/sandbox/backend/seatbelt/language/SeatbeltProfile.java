package io.zett.sandbox.backend.seatbelt.language;

import io.zett.sandbox.backend.seatbelt.language.Expression.Form;
import io.zett.sandbox.backend.seatbelt.language.Expression.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A profile that was read, and what it decides. Immutable. */
public final class SeatbeltProfile {

  /** The operations that published profiles name. */
  private static final Set<String> OPERATIONS =
      Set.of(
          "default",
          "dynamic-code-generation",
          "file*",
          "file-clone",
          "file-ioctl",
          "file-link",
          "file-map-executable",
          "file-read*",
          "file-read-data",
          "file-read-metadata",
          "file-read-xattr",
          "file-write*",
          "file-write-create",
          "file-write-data",
          "file-write-flags",
          "file-write-mode",
          "file-write-owner",
          "file-write-setugid",
          "file-write-times",
          "file-write-unlink",
          "file-write-xattr",
          "iokit-open",
          "ipc-posix-sem",
          "ipc-posix-shm",
          "mach-lookup",
          "mach-priv-task-port",
          "network*",
          "network-bind",
          "network-inbound",
          "network-outbound",
          "process-exec",
          "process-exec*",
          "process-fork",
          "process-info*",
          "process-info-pidinfo",
          "pseudo-tty",
          "signal",
          "sysctl-read",
          "sysctl-write",
          "system-fcntl",
          "system-socket",
          "user-preference-read");

  private final List<Rule> rules;
  private final Precedence precedence;

  private SeatbeltProfile(List<Rule> rules, Precedence precedence) {
    this.rules = List.copyOf(rules);
    this.precedence = precedence;
  }

  /**
   * Reads a profile.
   *
   * @param parameters values by name, one character for each byte
   * @throws MalformedProfileException if it would be refused, or is beyond what is known here
   */
  public static SeatbeltProfile read(
      String text, Map<String, String> parameters, Precedence precedence) {
    List<Form> forms = Expression.readAll(text);
    if (forms.isEmpty() || !forms.getFirst().equals(Expression.readAll("(version 1)").getFirst())) {
      throw new MalformedProfileException("the first form is not (version 1)");
    }
    FilterReader filters = new FilterReader(parameters);
    List<Rule> rules = new ArrayList<>();
    for (Form form : forms.subList(1, forms.size())) {
      boolean allows = form.head().equals("allow");
      if (!allows && !form.head().equals("deny")) {
        throw new MalformedProfileException("unbound variable: " + form.head());
      }
      addRules(form, allows, filters, rules);
    }
    return new SeatbeltProfile(rules, precedence);
  }

  private static void addRules(Form form, boolean allows, FilterReader reader, List<Rule> rules) {
    List<String> operations = new ArrayList<>();
    List<Filter> filters = new ArrayList<>();
    for (Expression each : form.rest()) {
      if (each instanceof Word word) {
        if (!OPERATIONS.contains(word.name())) {
          throw new MalformedProfileException("unbound variable: " + word.name());
        }
        operations.add(word.name());
      } else if (!(each instanceof Form modifier && modifier.head().equals("with"))) {
        filters.add(reader.read(each));
      }
    }
    if (operations.isEmpty()) {
      throw new MalformedProfileException("a rule about nothing: " + form);
    }
    for (String operation : operations) {
      rules.add(new Rule(rules.size(), allows, operation, filters));
    }
  }

  /** Whether it lets a process do that. */
  public boolean allows(Attempt attempt) {
    return rules.stream()
        .filter(rule -> rule.matches(attempt))
        .max(precedence.order())
        .map(Rule::allows)
        .orElse(false);
  }

  /** How many operations it speaks of. */
  public int size() {
    return rules.size();
  }
}
