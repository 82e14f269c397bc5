package io.zett.sandbox.flight;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * What Flight Recorder keeps of something that is done, with everything that the JDK itself tells.
 */
final class Recorded {
  private final List<RecordedEvent> events;

  private Recorded(List<RecordedEvent> events) {
    this.events = events;
  }

  /** Records with the JDK's most talkative settings, into a file. */
  static Recorded during(Path file, Runnable action) throws Exception {
    try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
      recording.start();
      action.run();
      recording.stop();
      recording.dump(file);
    }
    return in(file);
  }

  /** What is in a file. */
  static Recorded in(Path file) throws IOException {
    return new Recorded(
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().startsWith("io.zett.sandbox."))
            .sorted(Comparator.comparing(RecordedEvent::getStartTime))
            .toList());
  }

  List<RecordedEvent> all(String name) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("io.zett.sandbox." + name))
        .toList();
  }

  /** The commands that ran a program of this name. */
  List<RecordedEvent> commands(String program) {
    return all("Command").stream()
        .filter(event -> event.getString("program").equals(program))
        .toList();
  }
}
