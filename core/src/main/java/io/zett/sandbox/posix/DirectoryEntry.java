package io.zett.sandbox.posix;

import java.nio.charset.StandardCharsets;

/**
 * One entry of a directory, as {@code getdents64(2)} gives it.
 *
 * @param name bytes of the name
 * @param ino inode number
 * @param type a {@code DT_} constant; {@code DT_UNKNOWN} on some file systems
 */
@SuppressWarnings("ArrayRecordComponent") // A name is bytes; entries are read once, never compared.
public record DirectoryEntry(byte[] name, long ino, byte type) {

  @Override
  public String toString() {
    return new String(name, StandardCharsets.UTF_8);
  }
}
