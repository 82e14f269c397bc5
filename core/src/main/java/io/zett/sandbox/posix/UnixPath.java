package io.zett.sandbox.posix;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An absolute, normalised Unix path that keeps every byte of every name.
 *
 * <p>{@link Path} decodes names with the JVM's file-name encoding, which is ASCII under {@code
 * LC_ALL=C}; a policy must mean the same bytes whatever the locale. The text held here is Latin-1,
 * one character for each byte. Empty components and {@code .} are dropped; {@code ..} is refused,
 * since what it means depends on links, so whoever has the disk at hand resolves it. Immutable; the
 * disk is never touched.
 */
public final class UnixPath implements Comparable<UnixPath> {

  /** The root directory. */
  public static final UnixPath ROOT = new UnixPath("/");

  private final String text;

  private UnixPath(String text) {
    this.text = text;
  }

  /**
   * A path of exactly these bytes.
   *
   * @throws IllegalArgumentException if the path is not absolute, or holds a NUL or {@code ..}
   */
  public static UnixPath of(byte[] bytes) {
    return ofLatin1(new String(bytes, StandardCharsets.ISO_8859_1));
  }

  /**
   * A path of this text's UTF-8 bytes.
   *
   * @throws IllegalArgumentException if the path is not absolute, or holds a NUL or {@code ..}
   */
  public static UnixPath ofText(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The bytes of a path of the default file system, made absolute against the JVM's working
   * directory.
   *
   * @throws IllegalArgumentException if it belongs to another file system, or holds {@code ..}
   */
  public static UnixPath of(Path path) {
    if (path.getFileSystem() != FileSystems.getDefault()) {
      throw new IllegalArgumentException("not a path of the default file system: " + path);
    }
    Path absolute = path.toAbsolutePath();
    String decoded = absolute.toString();
    // The URI carries the bytes, but costs a stat(2): only when the text may be lossy.
    return ofLatin1(isPrintableAscii(decoded) ? decoded : unescape(absolute.toUri().getRawPath()));
  }

  private static UnixPath ofLatin1(String raw) {
    if (!raw.startsWith("/")) {
      throw new IllegalArgumentException("not an absolute path: '" + decode(raw) + "'");
    }
    if (raw.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a path cannot hold a NUL: '" + decode(raw) + "'");
    }
    if (isClean(raw)) {
      return raw.length() == 1 ? ROOT : new UnixPath(raw);
    }
    StringBuilder clean = new StringBuilder(raw.length());
    for (int start = 1; start <= raw.length(); ) {
      int slash = raw.indexOf('/', start);
      int end = slash < 0 ? raw.length() : slash;
      String component = raw.substring(start, end);
      if (component.equals("..")) {
        throw new IllegalArgumentException("'..' is not resolved here: '" + decode(raw) + "'");
      }
      if (!component.isEmpty() && !component.equals(".")) {
        clean.append('/').append(component);
      }
      start = end + 1;
    }
    return clean.isEmpty() ? ROOT : new UnixPath(clean.toString());
  }

  /** Whether nothing is to be taken out: no empty component, none that begins with a dot. */
  private static boolean isClean(String raw) {
    return !raw.contains("//") && !raw.contains("/.") && (raw.length() == 1 || !raw.endsWith("/"));
  }

  /** The same path for the JDK, byte-exact whatever the JVM's file-name encoding is. */
  public Path toPath() {
    if (isPrintableAscii(text)) {
      return Path.of(text);
    }
    StringBuilder escaped = new StringBuilder("file://");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '/' || (c < 128 && Character.isLetterOrDigit(c))) {
        escaped.append(c);
      } else {
        escaped.append('%').append(String.format("%02X", (int) c));
      }
    }
    return Path.of(URI.create(escaped.toString()));
  }

  /** The path's bytes; a new array each time. */
  public byte[] bytes() {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** One character for each byte; exact, for keys and parsing, not for people. */
  public String latin1() {
    return text;
  }

  /** The enclosing directory; null for the root. */
  public @Nullable UnixPath parent() {
    if (isRoot()) {
      return null;
    }
    int slash = text.lastIndexOf('/');
    return slash == 0 ? ROOT : new UnixPath(text.substring(0, slash));
  }

  /** The last component's bytes; empty for the root. */
  public byte[] name() {
    return text.substring(text.lastIndexOf('/') + 1).getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Whether this is {@code /}. */
  public boolean isRoot() {
    return text.length() == 1;
  }

  /** A path below this one; an absolute argument replaces it, as with {@link Path#resolve}. */
  public UnixPath resolve(byte[] relative) {
    String below = new String(relative, StandardCharsets.ISO_8859_1);
    return ofLatin1(below.startsWith("/") ? below : text + "/" + below);
  }

  /** As {@link #resolve(byte[])}, with the text's UTF-8 bytes. */
  public UnixPath resolve(String relative) {
    return resolve(relative.getBytes(StandardCharsets.UTF_8));
  }

  /** Whether this is {@code ancestor} itself or lies below it, component by component. */
  public boolean startsWith(UnixPath ancestor) {
    return ancestor.isRoot()
        || (text.startsWith(ancestor.text)
            && (text.length() == ancestor.text.length()
                || text.charAt(ancestor.text.length()) == '/'));
  }

  /** The number of components; 0 for the root. */
  public int depth() {
    return isRoot() ? 0 : (int) text.chars().filter(c -> c == '/').count();
  }

  /** Orders by component and byte; a directory comes right before everything below it. */
  @Override
  public int compareTo(UnixPath other) {
    int common = Math.min(text.length(), other.text.length());
    for (int i = 0; i < common; i++) {
      char a = text.charAt(i);
      char b = other.text.charAt(i);
      if (a != b) {
        return a == '/' ? -1 : b == '/' ? 1 : Character.compare(a, b);
      }
    }
    return Integer.compare(text.length(), other.text.length());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof UnixPath path && path.text.equals(text);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(text);
  }

  /** The path decoded as UTF-8, malformed bytes replaced: for people. */
  @Override
  public String toString() {
    return decode(text);
  }

  private static String decode(String latin1) {
    return isPrintableAscii(latin1)
        ? latin1
        : new String(latin1.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  private static boolean isPrintableAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~') {
        return false;
      }
    }
    return true;
  }

  private static String unescape(String percentEncoded) {
    StringBuilder raw = new StringBuilder(percentEncoded.length());
    for (int i = 0; i < percentEncoded.length(); i++) {
      char c = percentEncoded.charAt(i);
      if (c == '%') {
        raw.append((char) Integer.parseInt(percentEncoded, i + 1, i + 3, 16));
        i += 2;
      } else {
        raw.append(c);
      }
    }
    return raw.toString();
  }
}
