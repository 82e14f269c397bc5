package io.zett.sandbox.backend;

import io.zett.sandbox.host.MountCheck;
import io.zett.sandbox.posix.UnixPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How to start the first process of a command's sandbox.
 *
 * @param program the launcher
 * @param argv its arguments, the first one its own name; numbers of group descriptors may be
 *     appended
 * @param arguments what it reads at descriptor 3; null when nothing
 * @param seccomp the program it reads at descriptor 5; null when there is none
 * @param checks what must hold before the command may begin
 * @param placeholders what must first be put on the disk; when not empty, the launch is not
 *     complete: put them there, look again, prepare again
 * @param home the home directory that the command sees
 * @param watch what must stay as it is on the host while the command runs
 * @param onlyWritable the directories below which alone the command may write, for a second wall;
 *     null when the backend restricts nothing
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on as they are, never compared.
public record Launch(
    UnixPath program,
    List<byte[]> argv,
    byte @Nullable [] arguments,
    byte @Nullable [] seccomp,
    List<MountCheck> checks,
    List<PlaceholderRequest> placeholders,
    UnixPath home,
    HostWatch watch,
    @Nullable List<UnixPath> onlyWritable) {

  public Launch {
    argv = List.copyOf(argv);
    checks = List.copyOf(checks);
    placeholders = List.copyOf(placeholders);
    onlyWritable = onlyWritable == null ? null : List.copyOf(onlyWritable);
  }
}
