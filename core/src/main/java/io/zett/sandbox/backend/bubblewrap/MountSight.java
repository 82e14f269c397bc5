package io.zett.sandbox.backend.bubblewrap;

import io.zett.sandbox.backend.EffectiveRules;
import io.zett.sandbox.backend.InsideHome;
import io.zett.sandbox.backend.LaunchRequest;
import io.zett.sandbox.backend.PlaceholderRequest;
import io.zett.sandbox.backend.Sight;
import io.zett.sandbox.backend.Sight.Cause;
import io.zett.sandbox.backend.Sight.Spot;
import io.zett.sandbox.backend.Sight.Surface;
import io.zett.sandbox.host.Host;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.host.ResolvedPath;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.Access;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a plan of mounts shows: of several at a path the last is seen, as in the kernel. */
final class MountSight {
  private final Map<UnixPath, Spot> spots = new HashMap<>();

  private MountSight() {}

  static Sight of(
      LaunchRequest request,
      EffectiveRules rules,
      MountPlan plan,
      Collection<Host.KernelSecret> kernelMasks) {
    MountSight sight = new MountSight();
    sight.addSystem(request.view(), kernelMasks);
    UnixPath home = InsideHome.of(request.policy().home(), request.view()).mounted();
    for (Mount mount : plan.mounts()) {
      sight.spots.put(mount.at(), spot(mount, rules, home));
    }
    return Sight.ofMounts(
        rules,
        sight.spots,
        plan.placeholders().stream().map(PlaceholderRequest::firstMissing).toList(),
        plan.watch().absent());
  }

  private void addSystem(HostView view, Collection<Host.KernelSecret> kernelMasks) {
    if (view.host().isRoot()) {
      for (ResolvedPath file : List.of(view.places().passwd(), view.places().group())) {
        if (file.status() != null && file.status().isRegular()) {
          spots.put(file.real(), new Spot(Surface.OWN, Cause.ACCOUNTS));
        }
      }
    }
    for (UnixPath area : List.of(MountPlanner.DEV, MountPlanner.PROC)) {
      spots.put(area, new Spot(Surface.OWN, Cause.KERNEL));
    }
    for (Host.KernelSecret secret : kernelMasks) {
      spots.put(secret.path(), new Spot(Surface.HIDDEN, Cause.KERNEL));
    }
  }

  private static Spot spot(Mount mount, EffectiveRules rules, @Nullable UnixPath home) {
    return switch (mount) {
      case Mount.Bind bind -> new Spot(bind.writable() ? Surface.WRITE : Surface.READ, Cause.RULES);
      // A cover is a mask with room for what is visible in it.
      case Mount.Mask _, Mount.Cover _ ->
          new Spot(
              Surface.HIDDEN,
              rules.rules().access(mount.at()) == Access.HIDDEN ? Cause.RULES : Cause.SOCKET);
      case Mount.Scratch scratch ->
          new Spot(Surface.PRIVATE, scratch.at().equals(home) ? Cause.HOME : Cause.SCRATCH);
      case Mount.Empty _ -> new Spot(Surface.EMPTY, Cause.RUNTIME);
      case Mount.GiveBack _ -> new Spot(Surface.READ, Cause.SYSTEM);
    };
  }
}
