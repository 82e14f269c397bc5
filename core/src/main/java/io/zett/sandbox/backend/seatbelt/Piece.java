package io.zett.sandbox.backend.seatbelt;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A part of a profile that is the same for every policy: a resource with the ending {@code .sb}.
 */
enum Piece {
  /** What every program needs; begins with the refusal of everything. */
  BASE,
  /** The host's network. */
  INTERNET,
  /** Looking up names over the network. */
  RESOLVER,
  /** A terminal. */
  TERMINAL;

  private final String text;

  Piece() {
    String name = name().toLowerCase(Locale.ROOT) + ".sb";
    try (InputStream resource = Piece.class.getResourceAsStream(name)) {
      if (resource == null) {
        throw new IllegalStateException("this build of Zett Sandbox has no " + name);
      }
      text = new String(resource.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String text() {
    return text;
  }
}
