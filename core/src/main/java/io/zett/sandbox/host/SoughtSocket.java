package io.zett.sandbox.host;

import io.zett.sandbox.posix.UnixPath;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is known of one listening socket's file during one look. Not thread-safe. */
final class SoughtSocket {

  final ListeningSockets.Socket socket;

  /** Null while nobody has told. */
  @Nullable FileId file;

  /** How many names the file has; 0 when it was removed, -1 while it was not seen. */
  long names = -1;

  /** Its real paths. */
  final Set<UnixPath> found = new LinkedHashSet<>();

  SoughtSocket(ListeningSockets.Socket socket, @Nullable FileId file) {
    this.socket = socket;
    this.file = file;
  }

  /** Not by its path alone for another namespace, where that may be another file's by now. */
  boolean isComplete() {
    return file != null ? hasAllNames() : !socket.foreign() && !found.isEmpty();
  }

  boolean hasAllNames() {
    return names == 0 || (!found.isEmpty() && found.size() >= names);
  }
}
