package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxFileException;
import io.zett.sandbox.SandboxFileException.Reason;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.workspace.ObstacleException;

/** What went wrong with a file of a workspace, in words that say how to mend it. */
final class FileErrors {
  private FileErrors() {}

  static SandboxFileException of(InnerPath path, ObstacleException e) {
    UnixPath at = path.prefix(e.depth());
    boolean last = e.depth() == path.names().size();
    String subject = last ? "" : at + " ";
    return switch (e.kind()) {
      case LINK ->
          new SandboxFileException(
              path.shown(),
              Reason.LINK,
              subject + "is a symbolic link, and links are not followed; name what it leads to",
              e);
      case DIRECTORY ->
          new SandboxFileException(
              path.shown(),
              Reason.WRONG_KIND,
              "is a directory; list what is in it, and give a file another name",
              e);
      case FILE ->
          new SandboxFileException(
              path.shown(),
              Reason.WRONG_KIND,
              subject + "is a file, not a directory; name a directory",
              e);
      case EXCHANGED ->
          new SandboxFileException(
              path.shown(),
              Reason.WRONG_KIND,
              subject + "was exchanged for something else while it was used; try again",
              e);
      case SPECIAL ->
          new SandboxFileException(
              path.shown(),
              Reason.WRONG_KIND,
              subject
                  + "is a FIFO, a socket or a device; only regular files are read, and write"
                  + " replaces it",
              e);
    };
  }

  static SandboxFileException of(InnerPath path, PosixException e) {
    Reason reason = e.errno() == Errno.ENOENT ? Reason.NOT_FOUND : Reason.FAILED;
    String problem =
        switch (e.errno()) {
          case Errno.ENOENT -> "does not exist; list the directory to see what is there";
          case Errno.EACCES, Errno.EPERM ->
              e.getMessage()
                  + "; its mode or that of a directory above keeps this JVM's user out:"
                  + " a command can chmod what it owns";
          case Errno.ENOTEMPTY ->
              "the directory is not empty; delete what is in it first, or let a command do it";
          case Errno.ENAMETOOLONG -> "a name in it is longer than 255 bytes; shorten it";
          case Errno.EBUSY -> "something is mounted there; unmount it, or name another path";
          case Errno.EAGAIN -> "a program holds a lease on it; try again";
          case Errno.EROFS -> "its file system is read-only; name another path";
          default -> Shortage.explained(e);
        };
    return new SandboxFileException(path.shown(), reason, problem, e);
  }
}
