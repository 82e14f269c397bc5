package io.zett.sandbox.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;

/** {@link IdentityCalls} through {@link Kernel}. */
interface NativeIdentityCalls extends IdentityCalls {

  /** The length of each field of {@code struct utsname}. */
  int NAME_FIELD = 65;

  /** {@code LANDLOCK_CREATE_RULESET_VERSION}: asks for the version and makes nothing. */
  int LANDLOCK_VERSION = 1;

  @Override
  default int getuid() {
    return (int) Kernel.raw(SystemCall.GETUID, 0, 0);
  }

  @Override
  default int geteuid() {
    return (int) Kernel.raw(SystemCall.GETEUID, 0, 0);
  }

  @Override
  default int getgid() {
    return (int) Kernel.raw(SystemCall.GETGID, 0, 0);
  }

  @Override
  default int getegid() {
    return (int) Kernel.raw(SystemCall.GETEGID, 0, 0);
  }

  @Override
  default int[] getgroups() {
    int limit = 65536; // NGROUPS_MAX
    try (Scratch scratch = Scratch.take()) {
      MemorySegment groups = scratch.allocate(JAVA_INT, limit);
      long count =
          Kernel.check(
              SystemCall.GETGROUPS, "", Kernel.raw(SystemCall.GETGROUPS, limit, groups.address()));
      return groups.asSlice(0, count * Integer.BYTES).toArray(JAVA_INT);
    }
  }

  @Override
  default int getpid() {
    return (int) Kernel.raw(SystemCall.GETPID, 0, 0);
  }

  @Override
  default int getppid() {
    return (int) Kernel.raw(SystemCall.GETPPID, 0, 0);
  }

  @Override
  default int landlockVersion() {
    long result = Kernel.raw(SystemCall.LANDLOCK_CREATE_RULESET, 0, 0, LANDLOCK_VERSION, 0);
    return (int) Math.max(0, result);
  }

  @Override
  default SystemName uname() {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment fields = scratch.allocate(6L * NAME_FIELD);
      Kernel.check(SystemCall.UNAME, "", Kernel.raw(SystemCall.UNAME, fields.address(), 0));
      return new SystemName(
          fields.getString(0),
          fields.getString(NAME_FIELD),
          fields.getString(2L * NAME_FIELD),
          fields.getString(3L * NAME_FIELD),
          fields.getString(4L * NAME_FIELD));
    }
  }

  @Override
  default byte[] random(int count) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment bytes = scratch.allocate(count);
      long got = Kernel.raw(SystemCall.GETRANDOM, bytes.address(), count, 0, 0);
      if (Kernel.check(SystemCall.GETRANDOM, "", got) != count) {
        throw new IllegalArgumentException("up to 256 bytes come whole, not " + count);
      }
      return bytes.toArray(JAVA_BYTE);
    }
  }

  @Override
  default long sysconf(int name) {
    return Kernel.sysconf(name);
  }
}
