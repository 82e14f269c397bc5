package io.zett.sandbox.cli;

import io.zett.sandbox.engine.QuitSignal;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Ctrl-C, TERM and HUP end the command instead of this JVM, which then cleans up and leaves with
 * 128+n; once that is done they end this JVM. A second one changes nothing: the command has been
 * killed by then, and what is left is the cleaning up. A signal that was ignored when this process
 * started (nohup(1)) stays ignored. Ctrl-\ ends this process at once, without cleaning up.
 * Thread-safe.
 */
final class Signals implements AutoCloseable {
  /** What ends a command, and the number of each in signal(7). */
  enum Ending {
    HUP(1),
    INT(2),
    TERM(15);

    private final int number;

    Ending(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }
  }

  private final Map<Signal, SignalHandler> before = new HashMap<>();
  private @Nullable Ending received;
  private @Nullable Consumer<String> listener;

  /** Takes the signals over, until {@link #close}. */
  static Signals install() {
    Signals signals = new Signals();
    boolean background = false;
    for (Ending ending : Ending.values()) {
      try {
        Signal signal = new Signal(ending.name());
        SignalHandler before = Signal.handle(signal, _ -> signals.receive(ending));
        signals.before.put(signal, before);
        background |= ending == Ending.INT && before.equals(SignalHandler.SIG_IGN);
      } catch (IllegalArgumentException e) {
        // Windows has no HUP, and -Xrs leaves them all to the system.
      }
    }
    // Shells that ignore one of them for their background jobs ignore the other.
    QuitSignal.release(background);
    return signals;
  }

  /** From here on they do again what they did: whatever is left to do, they end this process. */
  @Override
  public void close() {
    before.forEach(Signal::handle);
  }

  void receive(Ending ending) {
    Consumer<String> told;
    synchronized (this) {
      if (received != null) {
        return;
      }
      received = ending;
      told = listener;
    }
    if (told != null) {
      told.accept(reason(ending));
    }
  }

  /** Calls the listener, once, with the reason to cancel: at once if a signal has come already. */
  void whenReceived(Consumer<String> listener) {
    Ending before;
    synchronized (this) {
      this.listener = listener;
      before = received;
    }
    if (before != null) {
      listener.accept(reason(before));
    }
  }

  /** The exit status that a received signal demands. */
  synchronized OptionalInt exitStatus() {
    return received == null
        ? OptionalInt.empty()
        : OptionalInt.of(ExitStatus.ofSignal(received.number()));
  }

  /** Why the command was canceled, as text for people, or null. */
  synchronized @Nullable String reason() {
    return received == null ? null : reason(received);
  }

  private static String reason(Ending ending) {
    return "SIG" + ending.name();
  }
}
