package io.zett.sandbox.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.DirectoryEntry;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;

/**
 * Ends what a JVM that was killed at the wrong moment may have left: a half-made launcher that
 * waits for its parent's user-id map for ever. It runs nothing and can be reached by nobody.
 *
 * <p>It is told from everything else by four things at once: our private first argument, an empty
 * user-id map (a sandbox that lives has one within microseconds), pid 1 as its parent, and an age
 * of more than two seconds.
 */
public final class StraySweep {
  private static final UnixPath PROC = UnixPath.ofText("/proc");
  private static final int LARGEST = 4096;
  private static final long AGE_SECONDS = 2;
  private static final int START_TIME = 19; // field 22 of stat, proc(5), after the name

  private final Posix posix;
  private final byte[] mark;
  private final int uid;

  /**
   * A sweep of this user's strays.
   *
   * @param mark the first argument of every launcher of ours
   */
  public StraySweep(Posix posix, String mark) {
    this.posix = posix;
    this.mark = (mark + "\0").getBytes(US_ASCII);
    this.uid = posix.geteuid();
  }

  /** Ends them; what cannot be looked at is left alone. */
  public void run() {
    int directory;
    try {
      directory = posix.open(PROC, Constants.O_RDONLY | Constants.O_DIRECTORY, 0);
    } catch (PosixException e) {
      return;
    }
    try {
      for (DirectoryEntry entry : posix.entries(directory)) {
        if (entry.name()[0] >= '0' && entry.name()[0] <= '9') {
          look(Integer.parseInt(new String(entry.name(), US_ASCII)));
        }
      }
    } finally {
      posix.close(directory);
    }
  }

  private void look(int pid) {
    try {
      UnixPath process = PROC.resolve(Integer.toString(pid));
      if (!isStray(process)) {
        return;
      }
      int pidfd = posix.pidfdOpen(pid, 0);
      try {
        if (isStray(process)) { // still, now that the descriptor holds it
          posix.pidfdSendSignal(pidfd, Constants.SIGKILL);
        }
      } finally {
        posix.close(pidfd);
      }
    } catch (PosixException e) {
      // Gone, or not ours to look at.
    }
  }

  private boolean isStray(UnixPath process) {
    byte[] words = posix.readFile(process.resolve("cmdline"), LARGEST);
    if (words.length < mark.length) {
      return false;
    }
    for (int i = 0; i < mark.length; i++) {
      if (words[i] != mark[i]) {
        return false;
      }
    }
    String stat = new String(posix.readFile(process.resolve("stat"), LARGEST), ISO_8859_1);
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return fields[1].equals("1")
        && isOld(Long.parseLong(fields[START_TIME]))
        && isMine(process)
        && posix.readFile(process.resolve("uid_map"), LARGEST).length == 0;
  }

  private boolean isOld(long startTicks) {
    String uptime = new String(posix.readFile(PROC.resolve("uptime"), LARGEST), US_ASCII);
    double now = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
    return now - (double) startTicks / posix.clockTicks() > AGE_SECONDS;
  }

  private boolean isMine(UnixPath process) {
    String status = new String(posix.readFile(process.resolve("status"), LARGEST), ISO_8859_1);
    int at = status.indexOf("\nUid:\t");
    return at >= 0 && status.startsWith(uid + "\t", at + 6);
  }
}
