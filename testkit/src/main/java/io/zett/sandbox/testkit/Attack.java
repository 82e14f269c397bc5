package io.zett.sandbox.testkit;

/**
 * One thing that a hostile command tries.
 *
 * <p>The scripts are for {@code /bin/sh}. They find the workspace in {@code $W}, a directory of the
 * host outside it in {@code $H}, the compiled probe in {@code $P}, and a number of their own in
 * {@code $ID}.
 *
 * @param name what the command cannot do, as the end of a sentence that begins with "it cannot"
 * @param kind what it goes for
 * @param claim what it puts to the test
 * @param setting the policy that it is up against
 * @param attempt the shell text that is run inside; exits with 0 when it worked
 * @param proof how it shows that it would work without a sandbox
 * @param trace what else shows that it worked
 */
public record Attack(
    String name,
    Kind kind,
    Claim claim,
    Setting setting,
    String attempt,
    Proof proof,
    Trace trace) {

  /** An attempt that is its own proof. */
  static Attack of(Kind kind, Claim claim, String name, String attempt) {
    return new Attack(name, kind, claim, Setting.USUAL, attempt, new Proof.Same(), Trace.STATUS);
  }

  /** The same with another proof. */
  Attack provenBy(String script) {
    return new Attack(name, kind, claim, setting, attempt, new Proof.By(script), trace);
  }

  /** The same with no proof. */
  Attack unproven(String reason) {
    return new Attack(name, kind, claim, setting, attempt, new Proof.None(reason), trace);
  }

  /** The same against another policy. */
  Attack in(Setting other) {
    return new Attack(name, kind, claim, other, attempt, proof, trace);
  }

  /** The same, judged from outside too. */
  Attack judgedBy(Trace other) {
    return new Attack(name, kind, claim, setting, attempt, proof, other);
  }

  /** Whether it needs the compiled probe. */
  boolean needsProbe() {
    return attempt.contains("$P") || (proof instanceof Proof.By by && by.script().contains("$P"));
  }
}
