package io.zett.sandbox.cases.outside;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What the library warns of while this is open. */
public final class Warnings implements AutoCloseable {
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

  /** From now on they are kept, and shown nowhere else. */
  public Warnings() {
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(handler);
  }

  /** Those so far. */
  public List<String> texts() {
    return List.copyOf(texts);
  }

  @Override
  public void close() {
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(true);
  }
}
