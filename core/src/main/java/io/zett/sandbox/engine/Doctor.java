package io.zett.sandbox.engine;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Limit;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxException;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds out what works on this machine, by doing it, and how to mend what does not. */
public final class Doctor {
  /** Stands between the reason and the advice in an enforcement's sentence. */
  private static final String ADVICE = "; for more: ";

  private Doctor() {}

  /**
   * One thing that was tried.
   *
   * @param name what it is
   * @param level how far it works
   * @param detail what was found
   * @param fix how to mend it; empty when there is nothing to mend
   */
  public record Check(String name, Enforcement.Level level, String detail, String fix) {
    /** Whether nothing is missing. */
    public boolean ok() {
      return level == Enforcement.Level.FULL;
    }
  }

  /**
   * What was found.
   *
   * @param report what a sandbox would enforce
   * @param checks what was tried, in order; one that fails may keep the later ones from being tried
   */
  public record Diagnosis(ResourceReport report, List<Check> checks) {
    /** Copies the list. */
    public Diagnosis {
      checks = List.copyOf(checks);
    }
  }

  /** Tries all that a sandbox of a policy needs. */
  public static Diagnosis diagnose(SandboxPolicy policy) {
    List<Check> checks = new ArrayList<>();
    boolean isNative = Platform.current().isNative();
    boolean usable =
        (!isNative || attempt(checks, "native access", NativeChecks::access))
            && attempt(
                checks,
                policy.backend().wireName() + " backend",
                () -> isNative ? NativeChecks.backend(policy) : portable(policy))
            && attempt(checks, "a command in a sandbox", () -> command(policy));
    ResourceReport report = Grounds.report(policy);
    if (usable && isNative && report.isolated()) {
      checks.add(NativeChecks.secondWall());
    }
    if (usable) {
      limits(report, checks);
    }
    return new Diagnosis(report, checks);
  }

  @FunctionalInterface
  private interface Attempt {
    String run();
  }

  private static boolean attempt(List<Check> checks, String name, Attempt attempt) {
    try {
      checks.add(new Check(name, Enforcement.Level.FULL, attempt.run(), ""));
      return true;
    } catch (SandboxUnavailableException e) {
      checks.add(new Check(name, Enforcement.Level.NONE, e.problem(), e.fix()));
    } catch (SandboxException | IllegalArgumentException e) {
      checks.add(new Check(name, Enforcement.Level.NONE, String.valueOf(e.getMessage()), ""));
    }
    return false;
  }

  private static String portable(SandboxPolicy policy) {
    SandboxBackend backend = Platform.current().backend(policy);
    boolean isolates = backend != SandboxBackend.PASSTHROUGH;
    return backend.wireName()
        + (isolates ? "" : " (no isolation)")
        + " on "
        + System.getProperty("os.name", "an unknown system")
        + ", where the JDK starts commands";
  }

  private static String command(SandboxPolicy policy) {
    Engine engine = Engine.open(policy, null);
    try {
      SandboxResult result = engine.run(Platform.current().nothing());
      if (!result.succeeded()) {
        throw new SandboxUnavailableException(
            "a command that does nothing ended with " + result.outcome(),
            "report this, with the output of this command");
      }
      return "ran in "
          + result.usage().setup().plus(result.usage().wall()).toNanos() / 1_000_000.0
          + " ms";
    } finally {
      engine.close();
    }
  }

  private static void limits(ResourceReport report, List<Check> checks) {
    for (Map.Entry<Limit, Enforcement> entry : report.limits().entrySet()) {
      Enforcement how = entry.getValue();
      String advice = "";
      int at = how.detail().indexOf(ADVICE);
      if (at >= 0) {
        advice = how.detail().substring(at + ADVICE.length());
      }
      checks.add(
          new Check(
              "limit " + entry.getKey().wireName(),
              how.level(),
              how.level().wireName() + ", " + how.mechanism(),
              advice));
    }
  }
}
