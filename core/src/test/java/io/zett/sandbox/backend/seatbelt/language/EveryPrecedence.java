package io.zett.sandbox.backend.seatbelt.language;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;

/** A profile that must mean the same whichever of its rules counts. */
public final class EveryPrecedence {

  private final Map<Precedence, SeatbeltProfile> profiles = new EnumMap<>(Precedence.class);

  private EveryPrecedence(SandboxExec arguments) {
    for (Precedence precedence : Precedence.values()) {
      profiles.put(precedence, arguments.profile(precedence));
    }
  }

  /** The profile of a command line, under every precedence. */
  public static EveryPrecedence of(SandboxExec arguments) {
    return new EveryPrecedence(arguments);
  }

  /** What it decides; fails where that depends on the precedence. */
  public boolean allows(Attempt attempt) {
    boolean last = profile(Precedence.LAST).allows(attempt);
    profiles.forEach(
        (precedence, profile) ->
            assertThat(profile.allows(attempt))
                .as("%s by %s", attempt, precedence)
                .isEqualTo(last));
    return last;
  }

  /** The same for a file. */
  public boolean allows(String operation, String path) {
    return allows(Attempt.of(operation).path(path));
  }

  /** It under one precedence. */
  public SeatbeltProfile profile(Precedence precedence) {
    SeatbeltProfile profile = profiles.get(precedence);
    if (profile == null) {
      throw new IllegalArgumentException(precedence.toString());
    }
    return profile;
  }
}
