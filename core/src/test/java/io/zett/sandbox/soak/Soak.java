package io.zett.sandbox.soak;

import io.zett.sandbox.cases.outside.Possessions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * A JVM that runs commands of all kinds from many virtual threads for a while, and then holds no
 * more than before. It says {@code begin}, and waits for a line; then {@code failed: ...} for what
 * went wrong, the counts, and {@code end}, and waits for another.
 */
final class Soak {
  /** The variable with the number that sleeps; our own command line must not have it. */
  static final String SLEEP = "ZETT_SOAK_SLEEP";

  private static final int THREADS = 32;

  /** Until what is made once is made. */
  private static final Duration WARM_UP = Duration.ofSeconds(3);

  /**
   * What may come to the heap between the two looks: tables of the JDK that grew, and code that was
   * met late. A kilobyte that each command leaves is more after a minute.
   */
  private static final long HEAP_TOLERANCE = 2 << 20;

  private static final int COLLECTIONS = 3;
  private static final int MOST_CLASSES = 20;

  /** Far more than the slowest command takes. */
  private static final Duration PATIENCE = Duration.ofSeconds(240);

  private final String sleep;
  private final long seed;
  private final Path given;
  private final List<Worker> workers = new CopyOnWriteArrayList<>();

  private Soak(String sleep, long seed, Path given) {
    this.sleep = sleep;
    this.seed = seed;
    this.given = given;
  }

  /** Arguments: seconds, the seed, a directory for workspaces. */
  public static void main(String[] arguments) throws Exception {
    Soak soak =
        new Soak(
            "sleep " + System.getenv(SLEEP), Long.parseLong(arguments[1]), Path.of(arguments[2]));
    soak.run(Duration.ofSeconds(Long.parseLong(arguments[0])));
  }

  private void run(Duration length) throws Exception {
    guard(length);
    Tally warmUp = new Tally();
    load(WARM_UP, warmUp);
    say(warmUp.failures());
    Possessions before = Possessions.now();
    long heapBefore = heap();
    System.out.println("begin");
    await();
    Tally tally = new Tally();
    load(length, tally);
    try {
      before.assertRegained();
    } catch (AssertionError e) {
      tally.fail("held by the JVM", e);
    }
    long grown = heap() - heapBefore;
    say(tally.failures());
    if (grown > HEAP_TOLERANCE) {
      System.out.println("failed: the heap grew; it has");
      histogram().limit(MOST_CLASSES).forEach(System.out::println);
    }
    System.out.println(tally.summary());
    System.out.println("began with " + before + ", ended with " + Possessions.now());
    System.out.println("heap: " + heapBefore + " bytes, and then " + grown + " more");
    System.out.println("end");
    await();
  }

  /** Opens the sessions, has them used, and closes them. */
  private void load(Duration length, Tally tally) throws IOException, InterruptedException {
    List<Place> places = new ArrayList<>();
    for (SessionKind kind : SessionKind.values()) {
      Path workspace = given.resolve(kind.name());
      Files.createDirectories(workspace);
      places.add(new Place(kind, workspace));
    }
    new Worker(seed, places, sleep, tally).everyKind();
    List<Thread> threads = new ArrayList<>();
    long end = System.nanoTime() + length.toNanos();
    for (int i = 0; i < THREADS; i++) {
      Worker worker = new Worker(seed + i, places, sleep, tally);
      workers.add(worker);
      threads.add(Thread.ofVirtual().start(() -> worker.workUntil(end)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    workers.clear();
    places.forEach(Place::close);
  }

  private static void say(Iterable<String> failures) {
    failures.forEach(failure -> System.out.println("failed: " + failure));
  }

  /** Bytes of what lives; what a cleaner or a reference held is gone one collection later. */
  private static long heap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  private static Stream<String> histogram() throws JMException {
    Object[] none = {new String[0]};
    return ManagementFactory.getPlatformMBeanServer()
        .invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"),
            "gcClassHistogram",
            none,
            new String[] {String[].class.getName()})
        .toString()
        .lines();
  }

  private static void await() throws IOException {
    if (System.in.read() < 0) {
      throw new IOException("the test has ended");
    }
  }

  /** Ends a JVM that hangs, and says what hung. */
  private void guard(Duration length) {
    long end = System.nanoTime() + length.plus(PATIENCE).toNanos();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
              }
              workers.forEach(worker -> System.out.println("failed: hangs: " + worker.doing));
              System.out.println("end");
              Runtime.getRuntime().halt(1);
            });
  }
}
