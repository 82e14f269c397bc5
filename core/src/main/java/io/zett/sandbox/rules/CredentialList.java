package io.zett.sandbox.rules;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The credentials that are hidden by default. The list is data: the resource {@code
 * credentials.txt}, one entry a line with a comment that says what it is.
 *
 * @param entries the entries, in the order of the resource
 */
public record CredentialList(List<Credential> entries) {
  private static final String RESOURCE = "credentials.txt";

  /** Copies the entries. */
  public CredentialList {
    entries = List.copyOf(entries);
  }

  private static final class BuiltIn {
    static final CredentialList LIST = load();
  }

  /** The list of the resource. */
  public static CredentialList builtIn() {
    return BuiltIn.LIST;
  }

  /**
   * Reads a list.
   *
   * @param text lines of the form {@code path # what it is}; empty lines and lines that begin with
   *     {@code #} are skipped
   * @throws IllegalArgumentException for a line of another form
   */
  public static CredentialList parse(String text) {
    List<Credential> entries = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      int comment = line.indexOf(" # ");
      if (comment < 0) {
        throw new IllegalArgumentException("no \" # what it is\" in the line \"" + line + "\"");
      }
      entries.add(
          new Credential(line.substring(0, comment).strip(), line.substring(comment + 3).strip()));
    }
    return new CredentialList(entries);
  }

  private static CredentialList load() {
    try (InputStream resource = CredentialList.class.getResourceAsStream(RESOURCE)) {
      byte[] bytes = Objects.requireNonNull(resource, RESOURCE).readAllBytes();
      return parse(new String(bytes, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
