package io.zett.sandbox.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The version that the build wrote into a resource. */
final class Version {
  private Version() {}

  static String text() {
    try (InputStream resource = Version.class.getResourceAsStream("version.txt")) {
      return resource == null
          ? "(unknown version)"
          : new String(resource.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
