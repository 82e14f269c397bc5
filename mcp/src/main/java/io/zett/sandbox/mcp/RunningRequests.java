package io.zett.sandbox.mcp;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/** The requests that have no answer yet, by their ids. Thread-safe. */
final class RunningRequests {
  private final Map<Object, Disposable.Swap> requests = new ConcurrentHashMap<>();

  /**
   * Begins one.
   *
   * @return false if its id is in use, and nothing was begun
   */
  boolean run(Object id, Mono<Void> request) {
    Disposable.Swap running = Disposables.swap();
    if (requests.putIfAbsent(id, running) != null) {
      return false;
    }
    running.update(
        request.doFinally(_ -> requests.remove(id, running)).subscribe(_ -> {}, _ -> {}));
    return true;
  }

  /** Ends one without an answer; one that is not there is over. */
  void cancel(Object id) {
    Disposable.Swap running = requests.get(id);
    if (running != null) {
      running.dispose();
    }
  }

  void cancelAll() {
    requests.values().forEach(Disposable::dispose);
  }
}
