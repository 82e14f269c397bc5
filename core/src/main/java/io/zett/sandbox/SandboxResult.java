package io.zett.sandbox;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * What a command did. Immutable. Output that was produced before a time limit or another limit
 * ended the command is always here. {@link #toString()} shows no output.
 */
public final class SandboxResult {
  private final SandboxCommand command;
  private final Outcome outcome;
  private final Set<Limit> limitsHit;
  private final byte[] stdout;
  private final byte[] stderr;
  private final long stdoutTotalBytes;
  private final long stderrTotalBytes;
  private final Usage usage;

  private SandboxResult(Builder builder) {
    command = builder.command;
    outcome = builder.outcome;
    EnumSet<Limit> hit = EnumSet.noneOf(Limit.class);
    hit.addAll(builder.limitsHit);
    if (outcome instanceof Outcome.LimitExceeded(Limit limit)) {
      hit.add(limit);
    }
    limitsHit = Collections.unmodifiableSet(hit);
    stdout = builder.stdout;
    stderr = builder.stderr;
    stdoutTotalBytes = Math.max(builder.stdoutTotalBytes, stdout.length);
    stderrTotalBytes = Math.max(builder.stderrTotalBytes, stderr.length);
    usage = builder.usage;
  }

  /** A builder, for adapters and for tests of code that uses results. */
  public static Builder builder(SandboxCommand command, Outcome outcome) {
    return new Builder(command, outcome);
  }

  /** The command that ran. */
  public SandboxCommand command() {
    return command;
  }

  /** How it ended. */
  public Outcome outcome() {
    return outcome;
  }

  /**
   * The exit status a shell would show: the command's own; 128 + n when signal n ended it; 137 when
   * the sandbox did. 127 if the program was not found, 126 if it could not be executed.
   */
  public int exitCode() {
    return outcome.exitCode();
  }

  /**
   * Every limit that is known to have refused or ended something, also when the command went on; in
   * the order of the enumeration.
   */
  public Set<Limit> limitsHit() {
    return limitsHit;
  }

  /** Whether it exited by itself, with status 0. */
  public boolean succeeded() {
    return outcome instanceof Outcome.Exited(int code) && code == 0;
  }

  /** Whether its time limit ended it. */
  public boolean timedOut() {
    return outcome instanceof Outcome.TimedOut;
  }

  /**
   * What was kept of its standard output, as UTF-8; malformed bytes are replaced by U+FFFD. If it
   * was truncated in the middle of a character, the text ends before that character.
   */
  public String stdout() {
    return stdout(StandardCharsets.UTF_8);
  }

  /** What was kept of its standard output, in a character set. */
  public String stdout(Charset charset) {
    return Decoding.decode(stdout, charset, stdoutTruncated());
  }

  /**
   * What was kept of its error output, as {@link #stdout()}; empty if it went into the standard
   * output.
   */
  public String stderr() {
    return stderr(StandardCharsets.UTF_8);
  }

  /** What was kept of its error output, in a character set. */
  public String stderr(Charset charset) {
    return Decoding.decode(stderr, charset, stderrTruncated());
  }

  /** What was kept of its standard output; a new array each time. */
  public byte[] stdoutBytes() {
    return stdout.clone();
  }

  /** What was kept of its error output; a new array each time. */
  public byte[] stderrBytes() {
    return stderr.clone();
  }

  /** Whether it wrote more to its standard output than was kept. */
  public boolean stdoutTruncated() {
    return stdoutTotalBytes > stdout.length;
  }

  /** Whether it wrote more to its error output than was kept. */
  public boolean stderrTruncated() {
    return stderrTotalBytes > stderr.length;
  }

  /** Bytes that it wrote to its standard output, kept or not. */
  public long stdoutTotalBytes() {
    return stdoutTotalBytes;
  }

  /** Bytes that it wrote to its error output, kept or not. */
  public long stderrTotalBytes() {
    return stderrTotalBytes;
  }

  /** What it used. */
  public Usage usage() {
    return usage;
  }

  /**
   * This result, if the command succeeded.
   *
   * @throws SandboxCommandException if it did not exit with status 0
   */
  public SandboxResult check() {
    if (!succeeded()) {
      throw new SandboxCommandException(this);
    }
    return this;
  }

  /** The command without its values, how it ended, and how much it wrote. */
  @Override
  public String toString() {
    return "SandboxResult["
        + outcome
        + (limitsHit.isEmpty() ? "" : ", limits hit " + limitsHit)
        + ", stdout "
        + stdoutTotalBytes
        + " bytes, stderr "
        + stderrTotalBytes
        + " bytes, "
        + Durations.format(usage.wall())
        + ", "
        + command
        + "]";
  }

  /** Builds results. Not thread-safe. */
  public static final class Builder {
    private final SandboxCommand command;
    private final Outcome outcome;
    private Set<Limit> limitsHit = Set.of();
    private byte[] stdout = {};
    private byte[] stderr = {};
    private long stdoutTotalBytes;
    private long stderrTotalBytes;
    private Usage usage = Usage.UNKNOWN;

    private Builder(SandboxCommand command, Outcome outcome) {
      this.command = Objects.requireNonNull(command, "command");
      this.outcome = Objects.requireNonNull(outcome, "outcome");
    }

    /** Limits that refused or ended something; that of the outcome is added by itself. */
    public Builder limitsHit(Collection<Limit> limits) {
      limitsHit = Set.copyOf(limits);
      return this;
    }

    /** What was kept of the standard output; copied. */
    public Builder stdout(byte[] bytes) {
      stdout = bytes.clone();
      return this;
    }

    /** What was kept of the standard output, as text. */
    public Builder stdout(String text) {
      return stdout(text.getBytes(StandardCharsets.UTF_8));
    }

    /** What was kept of the error output; copied. */
    public Builder stderr(byte[] bytes) {
      stderr = bytes.clone();
      return this;
    }

    /** What was kept of the error output, as text. */
    public Builder stderr(String text) {
      return stderr(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Bytes that were written to the standard output, if more than was kept. */
    public Builder stdoutTotalBytes(long bytes) {
      stdoutTotalBytes = bytes;
      return this;
    }

    /** Bytes that were written to the error output, if more than was kept. */
    public Builder stderrTotalBytes(long bytes) {
      stderrTotalBytes = bytes;
      return this;
    }

    /** What was used. Default: nothing, and nothing known. */
    public Builder usage(Usage used) {
      usage = Objects.requireNonNull(used, "used");
      return this;
    }

    /** The result; the builder can be used again. */
    public SandboxResult build() {
      return new SandboxResult(this);
    }
  }
}
