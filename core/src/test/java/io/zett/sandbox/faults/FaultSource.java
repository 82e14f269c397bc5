package io.zett.sandbox.faults;

import io.zett.sandbox.posix.Errno;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records the calls that can fail, or lets one of them fail that was recorded before. Thread-safe.
 */
public final class FaultSource implements InterposedPosix.Interposer {

  /**
   * One call that may fail.
   *
   * @param site where it is made
   * @param nth how many were made there before it
   * @param refusals the error numbers that fit
   */
  public record Candidate(CallSite site, int nth, List<Integer> refusals) {}

  /**
   * One call that fails once.
   *
   * @param site where it is made
   * @param nth how many are made there before it
   * @param errno the kernel's answer
   */
  public record Fault(CallSite site, int nth, int errno) {
    @Override
    public String toString() {
      return Errno.describe(errno) + " of call " + nth + " of " + site;
    }
  }

  private final Map<CallSite, Integer> made = new HashMap<>();
  private @Nullable List<Candidate> recording;
  private @Nullable Fault armed;
  private int failures;

  @Override
  public @Nullable Object on(PosixCall call) {
    int errno = refusal(call);
    return errno == 0 ? call.proceed() : call.fail(errno);
  }

  private synchronized int refusal(PosixCall call) {
    if (recording == null && (armed == null || !armed.site().call().equals(call.name()))) {
      return 0;
    }
    List<Integer> refusals = Refusals.of(call);
    if (refusals.isEmpty()) {
      return 0;
    }
    CallSite site = CallSite.here(call);
    int nth = made.merge(site, 1, Integer::sum) - 1;
    if (recording != null) {
      recording.add(new Candidate(site, nth, refusals));
    } else if (armed != null && armed.site().equals(site) && armed.nth() == nth) {
      int errno = armed.errno();
      armed = null;
      failures++;
      return errno;
    }
    return 0;
  }

  /** The calls from here on are recorded. */
  public synchronized void record() {
    made.clear();
    recording = new ArrayList<>();
  }

  /** Those recorded, in their order; ends the recording. */
  public synchronized List<Candidate> recorded() {
    List<Candidate> all = recording == null ? List.of() : List.copyOf(recording);
    recording = null;
    return all;
  }

  /** This one will fail, once. */
  public synchronized void arm(Fault fault) {
    made.clear();
    armed = fault;
  }

  /** How many calls have failed until now. */
  public synchronized int failures() {
    return failures;
  }

  /** Nothing fails any more; whether it did. */
  public synchronized boolean disarm() {
    boolean failed = armed == null;
    armed = null;
    return failed;
  }
}
