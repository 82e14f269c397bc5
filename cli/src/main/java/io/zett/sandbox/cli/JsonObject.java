package io.zett.sandbox.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import com.fasterxml.jackson.jr.ob.comp.ObjectComposer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** One JSON object on a line, written at once: a reader never meets half of one. */
final class JsonObject {
  /** Writes the members. */
  @FunctionalInterface
  interface Body {
    void write(ObjectComposer<?> json) throws IOException;
  }

  private JsonObject() {}

  static void print(OutputStream out, Body body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    var composer = JSON.std.composeTo(bytes);
    var object = composer.startObject();
    body.write(object);
    object.end();
    composer.finish();
    bytes.write('\n');
    bytes.writeTo(out);
    out.flush();
  }

  static void text(ObjectComposer<?> json, String key, @Nullable String value) throws IOException {
    if (value == null) {
      json.putNull(key);
    } else {
      json.put(key, value);
    }
  }
}
