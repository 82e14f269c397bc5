package io.zett.sandbox.backend;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.host.ViewedRule;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.PathRule.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The home directory that commands see.
 *
 * @param path what {@code HOME} is set to
 * @param mounted where an empty directory is mounted; null when the host's own is seen
 */
public record InsideHome(UnixPath path, @Nullable UnixPath mounted) {

  private static final UnixPath FALLBACK = UnixPath.ofText("/tmp/home");
  private static final List<UnixPath> KERNEL =
      List.of(UnixPath.ofText("/dev"), UnixPath.ofText("/proc"), UnixPath.ofText("/sys"));

  /** What {@code HOME} is set to where nothing can be mounted. */
  public static UnixPath withoutNamespaces(LaunchRequest request) {
    return request.policy().home() == HomeMode.PRIVATE
        ? request.files().home()
        : request.view().host().home();
  }

  /**
   * Decides it. A private home is mounted over the caller's; where there is none, or where it holds
   * a directory that must stay as it is, a directory in {@code /tmp} serves.
   */
  public static InsideHome of(HomeMode mode, HostView view) {
    UnixPath home = view.host().home();
    if (mode == HomeMode.HOST) {
      return new InsideHome(home, null);
    }
    UnixPath real = view.places().home().real();
    boolean usable = view.places().home().isDirectory() && !view.places().home().replaceable();
    List<UnixPath> kept = new ArrayList<>(view.places().scratch());
    kept.addAll(view.places().runtime());
    kept.addAll(KERNEL);
    for (UnixPath directory : kept) {
      usable &= !directory.startsWith(real);
    }
    for (ViewedRule rule : view.rules()) {
      usable &= rule.kind() != Kind.WRITABLE || !rule.given().equals(real);
    }
    return usable ? new InsideHome(home, real) : new InsideHome(FALLBACK, FALLBACK);
  }
}
