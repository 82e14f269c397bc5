package io.zett.sandbox.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Paths as they are typed; relative ones are the caller's current directory's. */
final class CallerPath {
  private CallerPath() {}

  static Path of(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("the path is empty");
    }
    if (text.equals("~") || text.startsWith("~/")) {
      throw new IllegalArgumentException(
          "\""
              + text
              + "\": your shell did not expand the ~; write $HOME, or ./~ for a file of"
              + " that name");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      return outsideTheLocale(text, e);
    }
  }

  /**
   * A locale such as {@code LC_ALL=C} makes {@code Path.of} refuse every letter beyond ASCII, but
   * not the percent encoding of a URI.
   */
  private static Path outsideTheLocale(String text, InvalidPathException problem) {
    if (text.indexOf('\0') >= 0) {
      throw problem;
    }
    String encoded =
        URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20").replace("%2F", "/");
    try {
      String folder = text.startsWith("/") ? "file://" : currentDirectory();
      return Path.of(URI.create(folder + encoded));
    } catch (IllegalArgumentException | IOException e) {
      problem.addSuppressed(e);
      throw problem;
    }
  }

  private static String currentDirectory() throws IOException {
    String uri = Path.of("").toRealPath().toUri().toString();
    return uri.endsWith("/") ? uri : uri + "/";
  }
}
