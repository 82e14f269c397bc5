package io.zett.sandbox.backend.bubblewrap;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What decides why a launcher does not work here and how to mend it.
 *
 * @param distributions {@code ID} and {@code ID_LIKE} of os-release, the nearest first
 * @param container whether this is the inside of a container
 * @param root whether the caller is root
 * @param appArmorRestriction {@code kernel.apparmor_restrict_unprivileged_userns}
 * @param unprivilegedClone {@code kernel.unprivileged_userns_clone}
 * @param maxUserNamespaces {@code user.max_user_namespaces}
 */
public record Machine(
    List<String> distributions,
    boolean container,
    boolean root,
    OptionalLong appArmorRestriction,
    OptionalLong unprivilegedClone,
    OptionalLong maxUserNamespaces) {

  private static final int LONGEST = 64 << 10;
  private static final List<String> CONTAINER_FILES =
      List.of(
          "/.dockerenv",
          "/run/.containerenv",
          "/run/systemd/container",
          "/run/secrets/kubernetes.io",
          "/var/run/secrets/kubernetes.io");
  private static final List<String> CONTAINER_GROUPS =
      List.of("docker", "kubepods", "containerd", "libpod", "lxc");

  public Machine {
    distributions = List.copyOf(distributions);
  }

  /** This machine. */
  public static Machine inspect(Posix posix) {
    String groups = text(posix, "/proc/1/cgroup");
    boolean container =
        CONTAINER_FILES.stream().anyMatch(path -> exists(posix, path))
            || CONTAINER_GROUPS.stream().anyMatch(groups::contains);
    return new Machine(
        distributions(text(posix, "/etc/os-release")),
        container,
        posix.geteuid() == 0,
        number(posix, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
        number(posix, "/proc/sys/kernel/unprivileged_userns_clone"),
        number(posix, "/proc/sys/user/max_user_namespaces"));
  }

  static List<String> distributions(String osRelease) {
    List<String> names = new ArrayList<>();
    for (String key : List.of("ID=", "ID_LIKE=")) {
      for (String line : osRelease.split("\n", -1)) {
        if (line.startsWith(key)) {
          String value = line.substring(key.length()).replace("\"", "").replace("'", "").strip();
          for (String name : value.split(" ", -1)) {
            if (!name.isEmpty()) {
              names.add(name);
            }
          }
        }
      }
    }
    return names;
  }

  /** The command that installs bubblewrap here, to be typed by a user who may use sudo. */
  public String installCommand() {
    String sudo = root ? "" : "sudo ";
    for (String name : distributions) {
      String command =
          switch (name) {
            case "debian", "ubuntu" ->
                sudo + "apt-get update && " + sudo + "apt-get install -y bubblewrap";
            case "fedora", "rhel", "centos", "amzn" -> sudo + "dnf install -y bubblewrap";
            case "alpine" -> (root ? "" : "doas ") + "apk add bubblewrap";
            case "arch" -> sudo + "pacman -S --noconfirm bubblewrap";
            case "suse", "opensuse" -> sudo + "zypper install -y bubblewrap";
            case "void" -> sudo + "xbps-install -y bubblewrap";
            case "gentoo" -> sudo + "emerge sys-apps/bubblewrap";
            case "nixos" -> "nix-env -iA nixos.bubblewrap";
            default -> "";
          };
      if (!command.isEmpty()) {
        return command;
      }
    }
    return "";
  }

  private static boolean exists(Posix posix, String path) {
    try {
      return posix.stat(UnixPath.ofText(path)) != null;
    } catch (PosixException e) {
      return false;
    }
  }

  private static String text(Posix posix, String path) {
    try {
      return new String(
          posix.readFile(UnixPath.ofText(path), LONGEST), StandardCharsets.ISO_8859_1);
    } catch (PosixException e) {
      return "";
    }
  }

  private static OptionalLong number(Posix posix, String path) {
    try {
      return OptionalLong.of(Long.parseLong(text(posix, path).strip()));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
