package io.zett.sandbox.backend;

import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;

/**
 * The accounts that commands see when root calls: an ordinary user, since as uid 0 {@code tar}
 * fails on foreign owners and as uid 65534 git trusts foreign repositories.
 */
public final class InsideAccounts {

  /** The user and group that commands run as. */
  public static final int ID = 12345;

  private InsideAccounts() {}

  /** The content of {@code /etc/passwd}. */
  public static byte[] passwd(UnixPath home) {
    // A colon or line feed would end the field; then a program has to ask the environment.
    String path = home.latin1();
    String field = path.indexOf(':') < 0 && path.indexOf('\n') < 0 ? path : "/";
    String text =
        "root:x:0:0:root:/root:/bin/sh\n"
            + ("sandbox:x:" + ID + ":" + ID + ":sandbox:" + field + ":/bin/sh\n")
            + "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n";
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The content of {@code /etc/group}. */
  public static byte[] group() {
    String text = "root:x:0:\nsandbox:x:" + ID + ":\nnogroup:x:65534:\n";
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
