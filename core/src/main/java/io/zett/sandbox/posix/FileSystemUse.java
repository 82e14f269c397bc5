package io.zett.sandbox.posix;

/**
 * What {@code statfs(2)} says of a file system.
 *
 * @param type its magic number
 * @param usedBytes how much of it is in use
 */
public record FileSystemUse(long type, long usedBytes) {

  private static final long TMPFS_MAGIC = 0x01021994; // linux/magic.h

  /** Whether its files are memory. */
  public boolean isMemory() {
    return type == TMPFS_MAGIC;
  }
}
