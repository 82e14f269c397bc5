package io.zett.sandbox.flight;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;

/**
 * Where the engine tells what it does. While nobody has recorded in this JVM it costs one look at a
 * field, and no event class is loaded. Thread-safe.
 */
public final class FlightLog {
  private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private FlightLog() {}

  /** A command begins: it takes its place in the queue of its session. */
  public static CommandFlight command(
      long session, SandboxBackend backend, SandboxCommand command) {
    return isOn()
        ? RecordedCommand.begin(session, backend, command.program())
        : CommandFlight.UNRECORDED;
  }

  /** A session begins to open. */
  public static OpeningFlight opening(long session) {
    return isOn() ? RecordedOpening.begin(session) : OpeningFlight.UNRECORDED;
  }

  /** A backend is looked for. */
  public static DecisionFlight decision(SandboxBackend requested) {
    return isOn() ? RecordedDecision.begin(requested) : DecisionFlight.UNRECORDED;
  }

  private static boolean isOn() {
    return PRESENT && Recorder.isInitialized();
  }

  /** Apart, so that what names the module's classes is not looked at where there are none. */
  private static final class Recorder {
    private Recorder() {}

    static boolean isInitialized() {
      return jdk.jfr.FlightRecorder.isInitialized();
    }
  }
}
