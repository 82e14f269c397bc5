package io.zett.sandbox.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zett.sandbox.process.VirtualThreads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The lines of a stream for one subscriber, which is called on a thread of its own. Lines are read
 * as they are asked for.
 */
final class LinePublisher implements Flow.Publisher<String> {
  private final InputStream stream;
  private final VirtualThreads threads;
  private final AtomicBoolean taken = new AtomicBoolean();

  LinePublisher(InputStream stream, VirtualThreads threads) {
    this.stream = stream;
    this.threads = threads;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super String> subscriber) {
    Reading reading = new Reading(subscriber);
    if (taken.getAndSet(true)) {
      reading.refuse(new IllegalStateException("an output stream has one subscriber"));
    } else {
      threads.start("zett-lines", reading::run);
    }
  }

  private final class Reading implements Flow.Subscription {
    private final Flow.Subscriber<? super String> subscriber;
    private long wanted;
    private boolean canceled;
    private boolean nonsense;

    Reading(Flow.Subscriber<? super String> subscriber) {
      this.subscriber = subscriber;
    }

    void refuse(Throwable reason) {
      canceled = true;
      subscriber.onSubscribe(this);
      subscriber.onError(reason);
    }

    @Override
    public synchronized void request(long count) {
      if (count <= 0) {
        nonsense = true;
      } else {
        wanted = wanted > Long.MAX_VALUE - count ? Long.MAX_VALUE : wanted + count;
      }
      notifyAll();
    }

    @Override
    public synchronized void cancel() {
      canceled = true;
      notifyAll();
    }

    void run() {
      subscriber.onSubscribe(this);
      BufferedReader lines = new BufferedReader(new InputStreamReader(stream, UTF_8));
      try {
        while (isWanted()) {
          String line = lines.readLine();
          if (line == null) {
            subscriber.onComplete();
            return;
          }
          subscriber.onNext(line);
        }
        if (isNonsense()) {
          subscriber.onError(new IllegalArgumentException("request: 1 or more lines"));
        }
      } catch (IOException | InterruptedException e) {
        subscriber.onError(e);
      }
    }

    /** Waits until a line is wanted; false when none will be. */
    private synchronized boolean isWanted() throws InterruptedException {
      while (wanted == 0 && !canceled && !nonsense) {
        wait();
      }
      wanted -= wanted == Long.MAX_VALUE ? 0 : 1;
      return !canceled && !nonsense;
    }

    private synchronized boolean isNonsense() {
      return nonsense && !canceled;
    }
  }
}
