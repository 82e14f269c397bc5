package io.zett.sandbox.backend.bubblewrap;

import io.zett.sandbox.backend.HostWatch;
import io.zett.sandbox.backend.PlaceholderRequest;
import io.zett.sandbox.host.MountCheck;
import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayList;
import java.util.List;

/**
 * What is mounted over the read-only view of the disk, enclosing directories first.
 *
 * @param mounts in order
 * @param placeholders what has to stand on the disk first
 * @param watch what must stay as it is meanwhile
 */
record MountPlan(List<Mount> mounts, List<PlaceholderRequest> placeholders, HostWatch watch) {

  MountPlan {
    mounts = List.copyOf(mounts);
    placeholders = List.copyOf(placeholders);
  }

  /** Adds the mounts, and at the end closes those that were open only for mounting inside. */
  void addTo(ArgumentList arguments) {
    List<UnixPath> closing = new ArrayList<>();
    for (Mount mount : mounts) {
      switch (mount) {
        case Mount.Bind(UnixPath at, boolean writable, _) ->
            arguments.add(writable ? "--bind" : "--ro-bind", at, at);
        case Mount.Mask(UnixPath at, UnixPath by) -> arguments.add("--ro-bind", by, at);
        case Mount.Cover(UnixPath at) -> {
          arguments.add("--perms", "0111").add("--tmpfs", at);
          closing.add(at);
        }
        case Mount.Scratch(UnixPath at, int mode, long size) ->
            arguments.add("--perms", octal(mode)).add("--size", size).add("--tmpfs", at);
        case Mount.Empty(UnixPath at) -> {
          arguments.add("--perms", "0755").add("--tmpfs", at);
          closing.add(at);
        }
        case Mount.GiveBack(UnixPath at, UnixPath source) ->
            arguments.add("--ro-bind-try", source, at);
      }
    }
    for (UnixPath at : closing) {
      arguments.add("--remount-ro", at);
    }
  }

  /** The outermost directories that can be written. */
  List<UnixPath> writable() {
    List<UnixPath> writable = new ArrayList<>();
    for (Mount mount : mounts) {
      boolean open =
          switch (mount) {
            case Mount.Bind bind -> bind.writable();
            case Mount.Scratch _ -> true;
            case Mount.Mask _, Mount.Cover _, Mount.Empty _, Mount.GiveBack _ -> false;
          };
      if (open && writable.stream().noneMatch(mount.at()::startsWith)) {
        writable.add(mount.at());
      }
    }
    return writable;
  }

  /** Four digits. A format would load the locale's data, which costs more than all mounts. */
  private static String octal(int mode) {
    return Integer.toOctalString(010000 | mode & 07777).substring(1);
  }

  /** What the finished sandbox must show. */
  List<MountCheck> checks() {
    List<MountCheck> checks = new ArrayList<>(mounts.size());
    for (Mount mount : mounts) {
      switch (mount) {
        case Mount.Bind bind -> checks.add(MountCheck.of(bind.at(), bind.identity()));
        case Mount.Mask mask -> checks.add(MountCheck.sameAs(mask.at(), mask.by()));
        case Mount.Cover cover -> checks.add(MountCheck.present(cover.at()));
        case Mount.Scratch scratch -> checks.add(MountCheck.present(scratch.at()));
        case Mount.Empty empty -> checks.add(MountCheck.present(empty.at()));
        case Mount.GiveBack _ -> {} // May be missing, and then it is.
      }
    }
    return checks;
  }
}
