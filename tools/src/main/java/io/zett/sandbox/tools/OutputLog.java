package io.zett.sandbox.tools;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The last bytes of a stream, for readers that come back. Thread-safe. */
final class OutputLog {
  private static final int FIRST = 8_192;

  private final int capacity;
  private byte[] ring;
  private long total;
  private boolean ended;

  OutputLog(int capacity) {
    this.capacity = capacity;
    this.ring = new byte[Math.min(FIRST, capacity)];
  }

  /** Takes a stream to its end. */
  void drain(InputStream stream) {
    byte[] chunk = new byte[16_384];
    try {
      int count;
      while ((count = stream.read(chunk)) >= 0) {
        add(chunk, count);
      }
    } catch (IOException e) {
      byte[] note = ("\n[" + e.getMessage() + "]\n").getBytes(StandardCharsets.UTF_8);
      add(note, note.length);
    } finally {
      synchronized (this) {
        ended = true;
        notifyAll();
      }
    }
  }

  synchronized void add(byte[] bytes, int length) {
    grow(total + length);
    int from = Math.max(0, length - ring.length);
    for (int done = from; done < length; ) {
      int at = (int) ((total + done) % ring.length);
      int count = Math.min(length - done, ring.length - at);
      System.arraycopy(bytes, done, ring, at, count);
      done += count;
    }
    total += length;
    notifyAll();
  }

  /** Only before anything was overwritten, so that what is there stays where it is. */
  private void grow(long wanted) {
    if (wanted > ring.length && ring.length < capacity) {
      ring = Arrays.copyOf(ring, (int) Math.min(capacity, Math.max(wanted, ring.length * 2L)));
    }
  }

  synchronized long total() {
    return total;
  }

  /**
   * Waits until there is something from an offset on, or the stream has ended.
   *
   * @param nanos at most so long
   */
  synchronized void await(long offset, long nanos) throws InterruptedException {
    long until = System.nanoTime() + nanos;
    while (total <= offset && !ended) {
      long left = until - System.nanoTime();
      if (left <= 0) {
        return;
      }
      wait(left / 1_000_000, (int) (left % 1_000_000));
    }
  }

  /** Waits for the end of the stream. */
  synchronized void awaitEnd() throws InterruptedException {
    while (!ended) {
      wait();
    }
  }

  /** The last characters, at most so many. */
  synchronized OutputPart tail(int characters) {
    long first = Math.max(total - ring.length, 0);
    long from = Math.max(first, total - 4L * characters);
    byte[] bytes = copy(from, total);
    int skipped = from == 0 ? 0 : continuation(bytes);
    String text = decode(bytes, skipped, bytes.length);
    int begin = skipped;
    if (text.length() > characters) {
      int cut = text.length() - characters;
      cut += Character.isLowSurrogate(text.charAt(cut)) ? 1 : 0;
      begin += bytesOf(bytes, skipped, cut);
      text = text.substring(cut);
    }
    return new OutputPart(text, from + begin, total, total);
  }

  /** Of how many bytes the first characters were made, malformed ones included. */
  private static int bytesOf(byte[] bytes, int from, int characters) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPLACE);
    ByteBuffer in = ByteBuffer.wrap(bytes, from, bytes.length - from);
    decoder.decode(in, CharBuffer.allocate(characters), true);
    return in.position() - from;
  }

  /**
   * What was written from an offset on, as far as it is kept.
   *
   * @param most bytes; an unfinished character at the end is left for the next time
   */
  synchronized OutputPart read(long offset, int most) {
    long from = Math.max(Math.min(offset, total), Math.max(total - ring.length, 0));
    long to = Math.min(total, from + most);
    byte[] bytes = copy(from, to);
    int length = to == total && ended ? bytes.length : bytes.length - unfinished(bytes);
    if (length == 0) {
      length = to == total ? 0 : bytes.length;
    }
    return new OutputPart(decode(bytes, 0, length), from, from + length, total);
  }

  private byte[] copy(long from, long to) {
    byte[] bytes = new byte[(int) (to - from)];
    for (int done = 0; done < bytes.length; ) {
      int at = (int) ((from + done) % ring.length);
      int count = Math.min(bytes.length - done, ring.length - at);
      System.arraycopy(ring, at, bytes, done, count);
      done += count;
    }
    return bytes;
  }

  private static String decode(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  /** Bytes at the beginning that belong to a character before. */
  private static int continuation(byte[] bytes) {
    int count = 0;
    while (count < Math.min(3, bytes.length) && (bytes[count] & 0xc0) == 0x80) {
      count++;
    }
    return count;
  }

  /** Bytes at the end that are the beginning of a character. */
  private static int unfinished(byte[] bytes) {
    for (int back = 1; back <= Math.min(3, bytes.length); back++) {
      int unit = bytes[bytes.length - back] & 0xff;
      if (unit < 0x80) {
        return 0;
      }
      if (unit >= 0xc0) {
        int length = unit >= 0xf0 ? 4 : unit >= 0xe0 ? 3 : 2;
        return back < length ? back : 0;
      }
    }
    return 0;
  }
}
