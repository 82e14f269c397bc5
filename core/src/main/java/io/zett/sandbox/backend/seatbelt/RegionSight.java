package io.zett.sandbox.backend.seatbelt;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.backend.EffectiveRules;
import io.zett.sandbox.backend.LaunchRequest;
import io.zett.sandbox.backend.Sight;
import io.zett.sandbox.backend.Sight.Cause;
import io.zett.sandbox.backend.Sight.Spot;
import io.zett.sandbox.backend.Sight.Surface;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.Access;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a profile lets commands do with files. */
final class RegionSight {
  private final EffectiveRules policy;
  private final SeatbeltRules rules;
  private final Map<UnixPath, Cause> own = new HashMap<>();

  private RegionSight(LaunchRequest request) {
    policy = EffectiveRules.of(request);
    rules = SeatbeltRules.of(request);
    own.put(request.files().scratch(), Cause.SCRATCH);
    if (request.policy().home() == HomeMode.PRIVATE) {
      own.put(request.files().home(), Cause.HOME);
    }
  }

  static Sight of(LaunchRequest request) {
    RegionSight sight = new RegionSight(request);
    return Sight.ofRules(sight.policy, sight::spot, sight.own.keySet(), sight.held());
  }

  private List<UnixPath> held() {
    List<UnixPath> held = new ArrayList<>();
    for (EffectiveRules.Point point : policy.points()) {
      UnixPath missing = point.at().firstMissing();
      if (missing != null && policy.rules().access(point.path()) != Access.WRITE) {
        held.add(missing);
      }
    }
    return held;
  }

  private Spot spot(UnixPath path) {
    for (Map.Entry<UnixPath, Cause> place : own.entrySet()) {
      if (path.startsWith(place.getKey())) {
        return new Spot(Surface.PRIVATE, place.getValue());
      }
    }
    Access given = policy.rules().access(path);
    if (isIn(rules.writable(), path)) {
      // What the policy does not give is everybody's /tmp.
      return new Spot(Surface.WRITE, given == Access.WRITE ? Cause.RULES : Cause.SYSTEM);
    }
    if (isIn(rules.readable(), path)) {
      return new Spot(Surface.READ, Cause.RULES);
    }
    // What the policy does not hide is the host's home behind a private one.
    return new Spot(Surface.HIDDEN, given == Access.HIDDEN ? Cause.RULES : Cause.HOME);
  }

  private static boolean isIn(List<Region> regions, UnixPath path) {
    return regions.stream()
        .anyMatch(
            region ->
                path.startsWith(region.root())
                    && region.without().stream().noneMatch(path::startsWith));
  }
}
