package io.zett.sandbox.host;

import io.zett.sandbox.posix.FileStatus;

/**
 * A file as the kernel tells which one a socket is bound to.
 *
 * @param device its file system's
 * @param inode the low half of its number, which is all that {@code unix_diag} gives
 */
record FileId(long device, int inode) {

  static FileId of(FileStatus status, MountMap mounts) {
    return new FileId(mounts.device(status), (int) status.ino());
  }

  boolean is(FileStatus status, MountMap mounts) {
    return inode == (int) status.ino()
        && status.isSocket()
        && (device == status.dev() || device == mounts.device(status));
  }
}
