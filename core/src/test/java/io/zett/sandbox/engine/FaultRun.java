package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.faults.FaultSelection;
import io.zett.sandbox.faults.FaultSource;
import io.zett.sandbox.faults.FaultSource.Fault;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** The same is done with one fault after the other; all that went wrong is told together. */
final class FaultRun {

  /** What is done with one fault. */
  @FunctionalInterface
  interface Step {
    void with(Fault fault) throws Exception;
  }

  private final String scenario;
  private final FaultSource source;
  private final int failuresBefore;
  private final FaultSelection selection;
  private final Map<String, Throwable> problems = new LinkedHashMap<>();

  /** With those calls that have been recorded until now. */
  FaultRun(String scenario, FaultSource source) {
    this.source = source;
    this.selection = new FaultSelection(scenario, source.recorded());
    this.scenario = scenario;
    this.failuresBefore = source.failures();
    assertThat(selection.faults()).as(scenario).isNotEmpty();
  }

  /**
   * Attempts each; nothing fails any more when an attempt has ended.
   *
   * @param attempt arms the fault, and throws what is wrong
   * @param recovery what is done after an attempt that went wrong
   */
  void each(Step attempt, Step recovery) throws Exception {
    for (Fault fault : selection.faults()) {
      try {
        attempt.with(fault);
        source.disarm();
      } catch (AssertionError | Exception e) {
        source.disarm();
        problems.put(fault.toString(), e);
        recovery.with(fault);
      }
    }
  }

  /** Nothing went wrong with any; and most of the calls were made again, and so did fail. */
  void assertNoProblem() {
    int failures = source.failures() - failuresBefore;
    System.out.println("faults: " + scenario + ": " + selection + ", " + failures + " met");
    assertThat(problems.entrySet().stream().map(FaultRun::shown).toList())
        .as("problems of %s", selection)
        .isEmpty();
    assertThat(failures).as("met").isGreaterThan(selection.faults().size() / 3);
  }

  private static String shown(Map.Entry<String, Throwable> entry) {
    StringWriter text = new StringWriter();
    entry.getValue().printStackTrace(new PrintWriter(text));
    return "\n=== " + entry.getKey() + "\n" + text;
  }
}
