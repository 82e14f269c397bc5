package io.zett.sandbox.faults;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads along what launchers are told: which files a sandbox hides must not depend on what was
 * short when the library looked for them. For one command at a time; thread-safe.
 */
public final class LaunchPlans implements InterposedPosix.Interposer {
  private static final String RANDOM_NAME = "zett-[0-9A-Za-z_-]+";

  private int file = -1;
  private String last = "";

  @Override
  public @Nullable Object on(PosixCall call) {
    String written = "";
    if (call.name().equals("pwrite") && (int) call.argument(0) == file()) {
      ByteBuffer buffer = ((ByteBuffer) call.argument(1)).duplicate();
      written = ISO_8859_1.decode(buffer).toString();
    }
    Object result = call.proceed();
    if (call.name().equals("memfdCreate")) {
      begin("arguments".equals(call.argument(0)) && result instanceof Integer fd ? fd : -1);
    } else if (!written.isEmpty() && result instanceof Long count && count > 0) {
      add(written.substring(0, count.intValue()));
    }
    return result;
  }

  private synchronized int file() {
    return file;
  }

  private synchronized void begin(int fd) {
    file = fd;
    if (fd >= 0) {
      last = "";
    }
  }

  private synchronized void add(String more) {
    last += more;
  }

  /** The last command's, one word a line, without the random part of names. */
  public synchronized String last() {
    return last.replace('\0', '\n').replaceAll(RANDOM_NAME, "zett-X");
  }
}
