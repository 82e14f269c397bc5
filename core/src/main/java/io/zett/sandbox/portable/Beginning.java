package io.zett.sandbox.portable;

import io.zett.sandbox.process.TakingStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Tells a command from what starts it. The last thing that its starter does is to write a random
 * line on the output: without it, the command has not run, and all that came are words of the
 * starter.
 */
final class Beginning {
  private static final int MOST_WORDS = 4096;

  private final String token = UUID.randomUUID().toString();
  private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
  private final ByteArrayOutputStream words = new ByteArrayOutputStream();

  /** The line to write, without its end. */
  String token() {
    return token;
  }

  /** True once the line has come; false when it cannot come any more. */
  CompletableFuture<Boolean> begun() {
    return begun;
  }

  /** What the starter said when it failed. */
  synchronized String words() {
    return words.toString(StandardCharsets.UTF_8).strip();
  }

  /** The command's output, without the line. */
  InputStream output(InputStream stream) {
    return new Output(stream);
  }

  /** The command's error output; nothing of it while the command has not begun. */
  InputStream errors(InputStream stream) {
    return new Errors(stream);
  }

  private synchronized void say(byte[] from, int count) {
    words.write(from, 0, Math.min(count, MOST_WORDS - words.size()));
  }

  private abstract static class Wrapping extends TakingStream {
    final InputStream stream;

    Wrapping(InputStream stream) {
      this.stream = stream;
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }

  private final class Output extends Wrapping {
    Output(InputStream stream) {
      super(stream);
    }

    @Override
    protected int take(byte[] to, int offset, int length) throws IOException {
      if (!begun.isDone() && !begin()) {
        return -1;
      }
      return begun.join() ? stream.read(to, offset, length) : -1;
    }

    private boolean begin() throws IOException {
      byte[] expected = (token + "\n").getBytes(StandardCharsets.US_ASCII);
      boolean came = false;
      try {
        byte[] first = stream.readNBytes(expected.length);
        came = Arrays.equals(first, expected);
        if (!came) {
          say(first, first.length);
        }
      } finally {
        begun.complete(came);
      }
      return came;
    }

    @Override
    public void close() throws IOException {
      begun.complete(false);
      super.close();
    }
  }

  private final class Errors extends Wrapping {
    Errors(InputStream stream) {
      super(stream);
    }

    @Override
    protected int take(byte[] to, int offset, int length) throws IOException {
      int count = stream.read(to, offset, length);
      // Whatever the command writes comes after the line: that is waited for, and never long.
      while (count > 0 && !begun.join()) {
        say(to, count);
        count = stream.read(to, offset, length);
      }
      return count;
    }
  }
}
