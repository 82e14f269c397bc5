package io.zett.sandbox.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.zett.sandbox.batch.Job;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a stream of lines, in their order; empty lines count as none. Lines are read on a
 * thread of its own, so that an interruption ends the wait for the next. For one thread at a time.
 */
final class JobLines implements Iterator<Job> {
  private static final String BYTE_ORDER_MARK = "\ufeff";

  /** So many lines are read ahead. */
  private static final int AHEAD = 16;

  /** A line, or what came in its place. */
  private sealed interface Read {
    record Line(String text) implements Read {}

    record Failed(IOException cause) implements Read {}

    record End() implements Read {}
  }

  private final String name;
  private final long maxOutputBytes;
  private final Set<String> done;
  private final Set<String> seen = new HashSet<>();
  private final BlockingQueue<Read> lines = new ArrayBlockingQueue<>(AHEAD);
  private @Nullable Job next;
  private long number;
  private long skipped;
  private boolean ended;

  /**
   * Begins to read.
   *
   * @param name for messages
   * @param done ids of jobs that are left out
   */
  JobLines(String name, InputStream in, long maxOutputBytes, Set<String> done) {
    this.name = name;
    this.maxOutputBytes = maxOutputBytes;
    this.done = done;
    Thread.ofPlatform().name("zett-jobs").daemon().start(() -> read(in));
  }

  private void read(InputStream in) {
    // As bytes, so that a line which is no text can be told by its number.
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, ISO_8859_1))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.put(new Read.Line(line));
      }
      lines.put(new Read.End());
    } catch (IOException e) {
      putLast(new Read.Failed(e));
    } catch (OutOfMemoryError e) {
      putLast(new Read.Failed(new IOException("a line is longer than this JVM has memory for", e)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void putLast(Read last) {
    try {
      lines.put(last);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The ids of those that there have been so far. */
  Set<String> ids() {
    return seen;
  }

  /** How many were left out so far. */
  long skipped() {
    return skipped;
  }

  /**
   * Waits for the next; false as well when this thread is interrupted.
   *
   * @throws UsageException if a line is no job
   */
  @Override
  public boolean hasNext() {
    try {
      while (next == null && !ended) {
        switch (lines.take()) {
          case Read.Line(String text) -> next = job(text);
          case Read.Failed(IOException cause) -> {
            ended = true;
            throw new UncheckedIOException(name + ": " + cause.getMessage(), cause);
          }
          case Read.End() -> ended = true;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      ended = true;
    }
    return next != null;
  }

  @Override
  public Job next() {
    Job found = hasNext() ? next : null;
    if (found == null) {
      throw new NoSuchElementException();
    }
    next = null;
    return found;
  }

  private String decoded(String latin1) {
    try {
      String text =
          UTF_8.newDecoder().decode(ByteBuffer.wrap(latin1.getBytes(ISO_8859_1))).toString();
      return number == 1 && text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("is no UTF-8", e);
    }
  }

  private @Nullable Job job(String text) {
    number++;
    try {
      String line = decoded(text);
      if (line.isBlank()) {
        return null;
      }
      Job job = JobLine.parse(line, maxOutputBytes);
      if (!seen.add(job.id())) {
        throw new IllegalArgumentException("id: \"" + job.id() + "\" is that of an earlier job");
      }
      if (done.contains(job.id())) {
        skipped++;
        return null;
      }
      return job;
    } catch (IllegalArgumentException e) {
      ended = true;
      throw new UsageException(name + ", line " + number + ": " + e.getMessage());
    }
  }
}
