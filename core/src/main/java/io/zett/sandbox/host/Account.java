package io.zett.sandbox.host;

import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One account of {@code /etc/passwd}.
 *
 * @param name its name
 * @param uid its number
 * @param home its home directory
 */
public record Account(String name, int uid, UnixPath home) {

  /** The accounts of a file's Latin-1 text; lines of another form are skipped. */
  static List<Account> parse(String passwd) {
    List<Account> accounts = new ArrayList<>();
    for (String line : passwd.split("\n", -1)) {
      String[] fields = line.split(":", -1);
      if (fields.length < 7 || !fields[5].startsWith("/")) {
        continue;
      }
      try {
        byte[] home = fields[5].getBytes(StandardCharsets.ISO_8859_1);
        accounts.add(
            new Account(fields[0], Integer.parseUnsignedInt(fields[2]), UnixPath.of(home)));
      } catch (IllegalArgumentException e) {
        // An odd number or path names no home that anybody could use.
      }
    }
    return List.copyOf(accounts);
  }
}
