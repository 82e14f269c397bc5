package io.zett.sandbox;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;

/** Output bytes as text. */
final class Decoding {
  private Decoding() {}

  /**
   * Decodes, with replacement of what is malformed. If the bytes were cut off, a character that the
   * cut went through is left out: it was not malformed, only not kept.
   */
  static String decode(byte[] bytes, Charset charset, boolean cut) {
    if (!cut) {
      return new String(bytes, charset);
    }
    CharsetDecoder decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    double most = Math.ceil(bytes.length * (double) decoder.maxCharsPerByte()) + 8;
    CharBuffer text = CharBuffer.allocate((int) Math.min(most, Integer.MAX_VALUE - 8));
    // "More may follow" makes the decoder leave an unfinished character alone.
    decoder.decode(ByteBuffer.wrap(bytes), text, false);
    return text.flip().toString();
  }
}
