package io.zett.sandbox.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** {@code io.zett.sandbox.Command}. */
@Name("io.zett.sandbox.Command")
@Label("Command")
@Category("Zett Sandbox")
@Description(
    "A command from its place in the queue to its result. Its arguments, variables, input and"
        + " output are not told")
@StackTrace(false)
final class CommandEvent extends Event {
  /** What tools show as "N/A". */
  static final long UNKNOWN = Long.MIN_VALUE;

  @SessionId
  @Label("Session")
  long session;

  @Label("Backend")
  @Nullable String backend;

  @Label("Program")
  @Description("The name of the program's file, without its folder; for a shell text, the shell")
  @Nullable String program;

  @Label("Started Ahead")
  @Description("Whether it ran in a sandbox that had been started ahead of it")
  boolean startedAhead;

  @Label("Outcome")
  @Description(
      "exited, signaled, timed_out, limit_exceeded, canceled, or error when it did not run")
  @Nullable String outcome;

  @Label("Exit Code")
  @Description("As a shell shows it; -1 when there is none")
  int exitCode = -1;

  @Label("Limit")
  @Description("The limit that ended it, if one did")
  @Nullable String limit;

  @Label("Failed Step")
  @Description("What could not be done, when it did not run")
  @Nullable String failedStep;

  @Label("Queue Time")
  @Description("How long it waited for its turn")
  @Timespan
  long queueTime = UNKNOWN;

  @Label("Set-up Time")
  @Description("How long the building of its sandbox took")
  @Timespan
  long setupTime = UNKNOWN;

  @Label("Wall Time")
  @Description("From its first instruction to its end")
  @Timespan
  long wallTime = UNKNOWN;

  @Label("Processor Time")
  @Description("User and system, of the command and what it started")
  @Timespan
  long cpuTime = UNKNOWN;

  @Label("Peak Memory")
  @Description("The most in use; without a control group, of the largest process")
  @DataAmount
  long peakMemory = UNKNOWN;

  @Label("Standard Output")
  @Description("What it wrote there, kept or not")
  @DataAmount
  long stdoutBytes;

  @Label("Standard Error")
  @Description("What it wrote there, kept or not")
  @DataAmount
  long stderrBytes;
}
