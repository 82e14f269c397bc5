package io.zett.sandbox.limits.attacks;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Enforcement.Level;
import io.zett.sandbox.Enforcement.Scope;

/**
 * What attacks found about a limit.
 *
 * @param mechanism what was seen to keep it, named as reports name it
 * @param scope what it was kept for
 * @param level how far it held
 * @param shown what the attack could do, in figures
 */
record Verdict(String mechanism, Scope scope, Level level, String shown) {

  static Verdict none(String shown) {
    return new Verdict("none", Scope.TREE, Level.NONE, shown);
  }

  /** What a report has to say of it. */
  boolean agreesWith(Enforcement said) {
    return said.level() == level
        && said.mechanism().equals(mechanism)
        && (level == Level.NONE || said.scope() == scope);
  }

  @Override
  public String toString() {
    return mechanism + ", " + scope.wireName() + ", " + level.wireName() + ": " + shown;
  }
}
