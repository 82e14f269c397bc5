package io.zett.sandbox.posix;

import java.util.Map;

/** Linux error numbers; the same on x86-64 and AArch64 (asm-generic/errno.h). */
public final class Errno {

  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int ESRCH = 3;
  public static final int EINTR = 4;
  public static final int EIO = 5;
  public static final int ENXIO = 6;
  public static final int E2BIG = 7;
  public static final int ENOEXEC = 8;
  public static final int EBADF = 9;
  public static final int ECHILD = 10;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EFAULT = 14;
  public static final int EBUSY = 16;
  public static final int EEXIST = 17;
  public static final int EXDEV = 18;
  public static final int ENODEV = 19;
  public static final int ENOTDIR = 20;
  public static final int EISDIR = 21;
  public static final int EINVAL = 22;
  public static final int ENFILE = 23;
  public static final int EMFILE = 24;
  public static final int ENOTTY = 25;
  public static final int ETXTBSY = 26;
  public static final int EFBIG = 27;
  public static final int ENOSPC = 28;
  public static final int ESPIPE = 29;
  public static final int EROFS = 30;
  public static final int EMLINK = 31;
  public static final int EPIPE = 32;
  public static final int ERANGE = 34;
  public static final int ENAMETOOLONG = 36;
  public static final int ENOSYS = 38;
  public static final int ENOTEMPTY = 39;
  public static final int ELOOP = 40;
  public static final int ENODATA = 61;
  public static final int EOVERFLOW = 75;
  public static final int EOPNOTSUPP = 95;
  public static final int ECONNRESET = 104;
  public static final int ENOTCONN = 107;
  public static final int ETIMEDOUT = 110;
  public static final int ECONNREFUSED = 111;
  public static final int ESTALE = 116;
  public static final int EDQUOT = 122;

  private static final Map<Integer, String> TEXTS =
      Map.ofEntries(
          Map.entry(EPERM, "Operation not permitted (EPERM)"),
          Map.entry(ENOENT, "No such file or directory (ENOENT)"),
          Map.entry(ESRCH, "No such process (ESRCH)"),
          Map.entry(EINTR, "Interrupted system call (EINTR)"),
          Map.entry(EIO, "Input/output error (EIO)"),
          Map.entry(ENXIO, "No such device or address (ENXIO)"),
          Map.entry(E2BIG, "Argument list too long (E2BIG)"),
          Map.entry(ENOEXEC, "Exec format error (ENOEXEC)"),
          Map.entry(EBADF, "Bad file descriptor (EBADF)"),
          Map.entry(ECHILD, "No child processes (ECHILD)"),
          Map.entry(EAGAIN, "Resource temporarily unavailable (EAGAIN)"),
          Map.entry(ENOMEM, "Cannot allocate memory (ENOMEM)"),
          Map.entry(EACCES, "Permission denied (EACCES)"),
          Map.entry(EFAULT, "Bad address (EFAULT)"),
          Map.entry(EBUSY, "Device or resource busy (EBUSY)"),
          Map.entry(EEXIST, "File exists (EEXIST)"),
          Map.entry(EXDEV, "Invalid cross-device link (EXDEV)"),
          Map.entry(ENODEV, "No such device (ENODEV)"),
          Map.entry(ENOTDIR, "Not a directory (ENOTDIR)"),
          Map.entry(EISDIR, "Is a directory (EISDIR)"),
          Map.entry(EINVAL, "Invalid argument (EINVAL)"),
          Map.entry(ENFILE, "Too many open files in system (ENFILE)"),
          Map.entry(EMFILE, "Too many open files (EMFILE)"),
          Map.entry(ENOTTY, "Inappropriate ioctl for device (ENOTTY)"),
          Map.entry(ETXTBSY, "Text file busy (ETXTBSY)"),
          Map.entry(EFBIG, "File too large (EFBIG)"),
          Map.entry(ENOSPC, "No space left on device (ENOSPC)"),
          Map.entry(ESPIPE, "Illegal seek (ESPIPE)"),
          Map.entry(EROFS, "Read-only file system (EROFS)"),
          Map.entry(EMLINK, "Too many links (EMLINK)"),
          Map.entry(EPIPE, "Broken pipe (EPIPE)"),
          Map.entry(ERANGE, "Numerical result out of range (ERANGE)"),
          Map.entry(ENAMETOOLONG, "File name too long (ENAMETOOLONG)"),
          Map.entry(ENOSYS, "Function not implemented (ENOSYS)"),
          Map.entry(ENOTEMPTY, "Directory not empty (ENOTEMPTY)"),
          Map.entry(ELOOP, "Too many levels of symbolic links (ELOOP)"),
          Map.entry(ENODATA, "No data available (ENODATA)"),
          Map.entry(EOVERFLOW, "Value too large for defined data type (EOVERFLOW)"),
          Map.entry(EOPNOTSUPP, "Operation not supported (EOPNOTSUPP)"),
          Map.entry(ECONNRESET, "Connection reset by peer (ECONNRESET)"),
          Map.entry(ENOTCONN, "Transport endpoint is not connected (ENOTCONN)"),
          Map.entry(ETIMEDOUT, "Connection timed out (ETIMEDOUT)"),
          Map.entry(ECONNREFUSED, "Connection refused (ECONNREFUSED)"),
          Map.entry(ESTALE, "Stale file handle (ESTALE)"),
          Map.entry(EDQUOT, "Disk quota exceeded (EDQUOT)"));

  private Errno() {}

  /** The text of {@code strerror(3)} with the symbolic name, e.g. {@code File exists (EEXIST)}. */
  public static String describe(int errno) {
    return TEXTS.getOrDefault(errno, "Error " + errno);
  }
}
