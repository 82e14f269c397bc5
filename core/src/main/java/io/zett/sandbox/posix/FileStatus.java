package io.zett.sandbox.posix;

/**
 * What {@code statx(2)} says about a file.
 *
 * @param dev device number as {@code stat(2)} gives it
 * @param ino inode number
 * @param mode type and permission bits
 * @param uid owner
 * @param gid group
 * @param nlink number of hard links
 * @param size bytes
 * @param mtimeNanos time of the last change of content, nanoseconds since 1970
 * @param mountId the mount it was reached through (kernel 5.8, else 0), as in {@code mountinfo}
 */
public record FileStatus(
    long dev,
    long ino,
    int mode,
    int uid,
    int gid,
    long nlink,
    long size,
    long mtimeNanos,
    long mountId) {

  /** {@code makedev(3)} as glibc and the kernel's {@code stat} pack it. */
  public static long device(long major, long minor) {
    return (minor & 0xff) | (major & 0xfff) << 8 | (minor & ~0xffL) << 12 | (major & ~0xfffL) << 32;
  }

  /** Whether both are the same file: same device and inode. */
  public boolean isSameFile(FileStatus other) {
    return dev == other.dev && ino == other.ino;
  }

  public boolean isDirectory() {
    return type() == Constants.S_IFDIR;
  }

  public boolean isSymlink() {
    return type() == Constants.S_IFLNK;
  }

  public boolean isRegular() {
    return type() == Constants.S_IFREG;
  }

  public boolean isSocket() {
    return type() == Constants.S_IFSOCK;
  }

  public boolean isFifo() {
    return type() == Constants.S_IFIFO;
  }

  public boolean isCharacterDevice() {
    return type() == Constants.S_IFCHR;
  }

  public boolean isBlockDevice() {
    return type() == Constants.S_IFBLK;
  }

  /** The permission bits with set-id and sticky: {@code mode & 07777}. */
  public int permissions() {
    return mode & 07777;
  }

  private int type() {
    return mode & Constants.S_IFMT;
  }
}
