package io.zett.sandbox.backend.bubblewrap;

import io.zett.sandbox.backend.bubblewrap.BubblewrapProbe.Unusable;
import io.zett.sandbox.posix.UnixPath;

/**
 * What bubblewrap's words mean on a machine, and the mend.
 *
 * <p>The texts are those of bubblewrap 0.8.0 to 0.11.0 ({@code bubblewrap.c}, {@code network.c}).
 */
public final class LauncherFailure {

  private static final String SYSCTL_FILE = "/etc/sysctl.d/60-userns.conf";

  // user_namespaces(7): EPERM in a changed root. Whether it is one cannot be seen from inside.
  private static final String CHROOT =
      "nor has one inside a chroot: change the root with pivot_root, as unshare and container"
          + " runtimes do";

  private LauncherFailure() {}

  /**
   * Explains a failure.
   *
   * @param said the first line of its stderr
   * @param status its exit status
   */
  public static Unusable explain(UnixPath launcher, String said, int status, Machine machine) {
    if (said.contains("Resource temporarily unavailable")) {
      return new Unusable(
          "bubblewrap can start no process (" + said + ")",
          "raise the limit of processes and threads (ulimit -u, or pids.max of the control group)");
    }
    if (said.contains("an't mount proc")) {
      return maskedProc(said);
    }
    if (said.contains("ailed to make / slave") || said.contains("ailed to mount tmpfs")) {
      return containerProfile(said);
    }
    if (said.contains("amespace")) {
      return namespace(launcher, said, machine);
    }
    if (machine.root() && said.contains("uid map: Operation not permitted")) {
      return new Unusable(
          "root without the capability SETFCAP may make no user namespace (" + said + ")",
          "start the container with --cap-add SETFCAP (Docker, Podman) or capabilities: {add:"
              + " [SETFCAP]} (Kubernetes), or as an ordinary user: --user 1000, runAsUser: 1000");
    }
    if (said.contains("setting up uid map") || said.contains("loopback:")) {
      return machine.container() && machine.appArmorRestriction().orElse(0) == 0
          ? containerProfile(said)
          : appArmor(launcher, said);
    }
    String words = said.isEmpty() ? "it ended with status " + status : said;
    return new Unusable(
        "bubblewrap does not work here: " + words,
        "run \""
            + launcher
            + " --unshare-all --ro-bind / / --proc /proc --dev /dev true\" and mend"
            + " what it says");
  }

  /**
   * Explains why one that is set-uid root does not work for another user: it keeps only the
   * capabilities that it needs itself, and those are too few to switch off user namespaces inside.
   */
  static Unusable setUid(UnixPath launcher, String said) {
    return new Unusable(
        "this bubblewrap is set-uid root and then lacks what a sandbox needs (" + said + ")",
        "take the bit away: sudo chmod u-s "
            + launcher
            + "; the kernel must let ordinary users make user namespaces, which Linux does unless"
            + " kernel.unprivileged_userns_clone or user.max_user_namespaces is 0");
  }

  private static Unusable namespace(UnixPath launcher, String said, Machine machine) {
    boolean none = said.contains("No space left") || said.contains("ENOSPC");
    if (none || machine.maxUserNamespaces().orElse(1) == 0) {
      return new Unusable(
          "user namespaces are switched off, or this is the inside of another sandbox ("
              + said
              + ")",
          sysctl("user.max_user_namespaces", 15000) + "; a sandbox inside a sandbox has none");
    }
    if (!machine.root() && machine.unprivilegedClone().orElse(1) == 0) {
      return new Unusable(
          "user namespaces are switched off for ordinary users (" + said + ")",
          sysctl("kernel.unprivileged_userns_clone", 1));
    }
    if (!machine.root() && machine.appArmorRestriction().orElse(0) != 0) {
      return appArmor(launcher, said);
    }
    if (machine.container()) {
      Unusable profile = containerProfile(said);
      return new Unusable(
          profile.problem(), profile.fix() + "; a sandbox inside a sandbox has none, " + CHROOT);
    }
    return new Unusable(
        "the kernel refuses new user namespaces (" + said + ")",
        "a seccomp filter or security module of the surroundings forbids them: allow clone and"
            + " unshare with CLONE_NEWUSER there; a sandbox inside a sandbox has none, "
            + CHROOT);
  }

  private static Unusable appArmor(UnixPath launcher, String said) {
    String profile =
        "abi <abi/4.0>, include <tunables/global> profile bwrap "
            + launcher
            + " flags=(unconfined) { userns, }";
    return new Unusable(
        "AppArmor keeps ordinary users from user namespaces, as on Ubuntu 23.10 and newer ("
            + said
            + ")",
        "give bubblewrap an AppArmor profile: echo '"
            + profile
            + "' | sudo tee /etc/apparmor.d/bwrap && sudo apparmor_parser -r"
            + " /etc/apparmor.d/bwrap; or, for every program: "
            + sysctl("kernel.apparmor_restrict_unprivileged_userns", 0));
  }

  private static Unusable maskedProc(String said) {
    return new Unusable(
        "this container hides parts of /proc, so a sandbox cannot have a /proc of its own ("
            + said
            + ")",
        "start the container with --security-opt systempaths=unconfined (Docker),"
            + " --security-opt unmask=ALL (Podman), or procMount: Unmasked in the securityContext"
            + " (Kubernetes)");
  }

  private static Unusable containerProfile(String said) {
    return new Unusable(
        "this container's seccomp or AppArmor profile forbids new namespaces or mounts ("
            + said
            + ")",
        "start the container with --security-opt seccomp=unconfined --security-opt"
            + " apparmor=unconfined --security-opt systempaths=unconfined (Docker); in Kubernetes"
            + " set seccompProfile and appArmorProfile to type: Unconfined and procMount:"
            + " Unmasked");
  }

  private static String sysctl(String name, int value) {
    return "sudo sysctl -w %s=%d, and to keep it: echo %s=%d | sudo tee %s"
        .formatted(name, value, name, value, SYSCTL_FILE);
  }
}
