package io.zett.sandbox.benchmarks;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/** Where the JVM's processor time goes, by JDK Flight Recorder (JEP 509). */
final class Profile implements Section {
  /** What the frames of a call into the kernel are drawn as. */
  static final String SYSTEM_CALL = "system call";

  private static final String EVENT = "jdk.CPUTimeSample";
  private static final String KERNEL = "io.zett.sandbox.posix.Kernel";
  private static final String OURS = "io.zett.sandbox.";
  private static final int COMMANDS = 1_000;
  private static final int WARM_UP = 300;
  private static final SandboxCommand TRUE = SandboxCommand.of("true").checked();

  @Override
  public String name() {
    return "profile";
  }

  @Override
  public String title() {
    return "Processor time of the JVM for a command";
  }

  @Override
  public void run(Settings settings, Results results) throws Exception {
    int commands = settings.count(COMMANDS);
    Path file = Files.createTempFile("zett-bench", ".jfr");
    try (SandboxSession session = SandboxSession.builder().open();
        Recording recording = new Recording()) {
      run(session, settings.count(WARM_UP));
      recording.enable(EVENT).with("throttle", "1ms");
      recording.start();
      long before = Machine.processorTime();
      run(session, commands);
      double milliseconds = (Machine.processorTime() - before) / 1e6 / commands;
      recording.stop();
      recording.dump(file);
      results.add(
          new Row(
              name(),
              "all threads, the compiler's and the recorder's included",
              Unit.MILLISECONDS,
              Samples.of(milliseconds),
              null,
              new Judged("ms", milliseconds, null)));
      draw(file, results);
    } finally {
      Files.delete(file);
    }
  }

  private static void run(SandboxSession session, int commands) {
    for (int i = 0; i < commands; i++) {
      session.run(TRUE);
    }
  }

  private void draw(Path file, Results results) throws IOException {
    FlameGraph graph = new FlameGraph();
    int seen = 0;
    int inKernel = 0;
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      List<String> stack = stack(event);
      if (!stack.isEmpty()) {
        graph.add(stack);
        seen++;
        inKernel += stack.getLast().startsWith(SYSTEM_CALL) ? 1 : 0;
      }
    }
    if (graph.isEmpty()) {
      results.skip(name(), "the flame graph", "this Java does not sample processor time");
      return;
    }
    double share = 100.0 * inKernel / seen;
    results.add(
        new Row(
            name(),
            "share of system calls in what Java code takes",
            Unit.PERCENT,
            Samples.of(share),
            null,
            new Judged("%", share, null)));
    results.flame(graph);
  }

  /**
   * The frames from the outermost in; what the JDK puts between a call and the kernel is left out.
   */
  private static List<String> stack(RecordedEvent event) {
    if (event.getStackTrace() == null) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    List<RecordedFrame> frames = new ArrayList<>(event.getStackTrace().getFrames());
    Collections.reverse(frames);
    for (RecordedFrame frame : frames) {
      RecordedMethod method = frame.getMethod();
      String type = method.getType().getName();
      if (type.equals(KERNEL)) {
        names.add(SYSTEM_CALL);
        break;
      }
      names.add(shortened(type) + "." + method.getName());
    }
    return names;
  }

  private static String shortened(String type) {
    String simple = type.substring(type.lastIndexOf('.') + 1);
    return type.startsWith(OURS) ? "zett." + simple : simple;
  }
}
