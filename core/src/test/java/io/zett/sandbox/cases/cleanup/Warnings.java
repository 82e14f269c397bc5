package io.zett.sandbox.cases.cleanup;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What the library warns of while this is open. */
final class Warnings implements AutoCloseable {
  private static final Logger LOGGER = Logger.getLogger("io.zett.sandbox");

  private final List<String> texts = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          texts.add(new SimpleFormatter().formatMessage(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  Warnings() {
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(handler);
  }

  List<String> texts() {
    return List.copyOf(texts);
  }

  @Override
  public void close() {
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(true);
  }
}
