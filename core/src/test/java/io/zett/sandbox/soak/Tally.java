package io.zett.sandbox.soak;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** Counts what happened and remembers what went wrong. Thread-safe. */
final class Tally {
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();

  void count(String what) {
    add(what, 1);
  }

  void add(String what, long number) {
    counts.computeIfAbsent(what, _ -> new LongAdder()).add(number);
  }

  void fail(String what, Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    failures.add(what + ": " + text);
  }

  /** What went wrong, one after the other; empty if nothing did. */
  Queue<String> failures() {
    return failures;
  }

  /** All counts in one line. */
  String summary() {
    return counts.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(each -> each.getValue() + " " + each.getKey())
        .collect(Collectors.joining(", "));
  }
}
