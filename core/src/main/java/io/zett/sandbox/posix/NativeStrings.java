package io.zett.sandbox.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Strings that lie ready for the kernel for as long as this object is reachable. Immutable. */
final class NativeStrings {

  private final MemorySegment bytes;
  private final long[] addresses;

  /** Copies of strings without a NUL. */
  NativeStrings(List<byte[]> strings) {
    addresses = new long[strings.size()];
    long size = 1;
    for (byte[] string : strings) {
      size += string.length + 1L;
    }
    bytes = Arena.ofAuto().allocate(size);
    long at = 0;
    for (int i = 0; i < addresses.length; i++) {
      byte[] string = strings.get(i);
      MemorySegment.copy(string, 0, bytes, JAVA_BYTE, at, string.length); // a NUL follows already
      addresses[i] = bytes.address() + at;
      at += string.length + 1L;
    }
  }

  int count() {
    return addresses.length;
  }

  /** Where one begins; valid while the caller holds this object. */
  long address(int index) {
    return addresses[index];
  }
}
