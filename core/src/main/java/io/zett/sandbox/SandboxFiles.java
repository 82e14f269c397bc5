package io.zett.sandbox;

import io.zett.sandbox.SandboxFileException.Reason;
import io.zett.sandbox.engine.WorkspaceFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * The files of a workspace, for the host program, while commands that are not trusted may be
 * running in it: an agent's tools read and write here.
 *
 * <p>A path is relative to the workspace, or absolute and below it; {@code ..} is taken from its
 * text. Each component is opened by its own name in the directory before it, and a symbolic link at
 * any component is refused, also one that would stay inside: whatever a command exchanges in the
 * meantime, nothing outside the workspace is reached. (The kernel's {@code openat2} could follow
 * links that stay beneath. It is missing before Linux 5.6 and in the filters of some containers,
 * and what a path means must not depend on that.) Only regular files are read: a FIFO, a socket or
 * a device is refused at once, nothing waits for one. A text path stands for its UTF-8 bytes; a
 * name that is no UTF-8 is reached by the {@link Entry#path()} of a listing.
 *
 * <p>The policy holds here as for commands: what {@code denyRead} or the list of credentials hides
 * can be neither read, listed nor written, and what {@code denyWrite} or {@code
 * protectDeveloperFiles} protects can be read only; nor can a directory be deleted, or a file be
 * put, where the policy denies something below. A hard link that lies in the workspace shows its
 * file, as to commands, unless that file itself is one that the policy denies and that exists.
 * Directories that the policy makes writable outside the workspace are not reached.
 *
 * <p>Every method throws {@link SandboxFileException}, whose message names the path and the mend
 * (of the host's side of a copy, the {@link IOException} of the JDK); {@link
 * IllegalArgumentException} for a path that cannot be meant (empty, with a NUL character, out of
 * the workspace, longer than 32,768 bytes, beginning with {@code ~/}) or a bound out of range;
 * {@link SandboxClosedException} after closing, which waits for reading and writing that is under
 * way and breaks copies off. Thread-safe.
 */
public final class SandboxFiles {
  /** Most bytes of a file that are read unless another bound is given: 16 MiB. */
  public static final int DEFAULT_MAX_BYTES = 16_777_216;

  /** Most entries of a listing unless another bound is given. */
  public static final int DEFAULT_MAX_ENTRIES = 10_000;

  /** Most bytes that are copied out unless another bound is given: 1 GiB. */
  public static final long DEFAULT_MAX_COPY_BYTES = 1_073_741_824;

  private static final int MOST_BYTES = Integer.MAX_VALUE - 16; // what an array holds

  private final WorkspaceFiles files;

  SandboxFiles(WorkspaceFiles files) {
    this.files = files;
  }

  /** What stands at a name. */
  public enum Kind {
    /** A regular file. */
    FILE,
    /** A directory. */
    DIRECTORY,
    /** A symbolic link, wherever it leads. */
    LINK,
    /** A FIFO, a socket or a device. */
    OTHER;

    /** The word that stands for this constant in JSON, in lower case. */
    public String wireName() {
      return Choice.word(this);
    }
  }

  /**
   * What is in a directory.
   *
   * @param name its name; bytes that are no UTF-8 are replaced
   * @param kind what it is
   * @param size of a regular file, in bytes, else 0; 0 for what the policy hides
   * @param hidden whether the policy hides it
   * @param path its absolute path, byte for byte
   */
  public record Entry(String name, Kind kind, long size, boolean hidden, Path path) {
    /** Refuses null. */
    public Entry {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(path, "path");
    }
  }

  /**
   * A directory's entries.
   *
   * @param entries sorted by name
   * @param truncated whether the directory has more; which ones are missing is the file system's
   *     choice
   */
  public record Listing(List<Entry> entries, boolean truncated) {
    /** Copies the list. */
    public Listing {
      entries = List.copyOf(entries);
    }
  }

  /** {@link #readString(String, int)} with at most {@link #DEFAULT_MAX_BYTES}. */
  public String readString(String path) throws IOException {
    return readString(path, DEFAULT_MAX_BYTES);
  }

  /**
   * A text file. Bytes that are no UTF-8 are refused ({@link Reason#NOT_TEXT}), not replaced: who
   * writes back what was read would destroy them.
   *
   * @param maxBytes of the file, 0 to 2,147,483,631; more is {@link Reason#TOO_LARGE}, also when it
   *     grows while it is read
   */
  public String readString(String path, int maxBytes) throws IOException {
    return text(path, readBytes(path, maxBytes));
  }

  private static String text(String path, byte[] bytes) throws SandboxFileException {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(in, out, true);
    if (result.isError()) {
      throw new SandboxFileException(
          path,
          Reason.NOT_TEXT,
          "is no UTF-8 text from byte " + in.position() + " on; read it as bytes",
          null);
    }
    return out.flip().toString();
  }

  /** {@link #readBytes(String, int)} with at most {@link #DEFAULT_MAX_BYTES}. */
  public byte[] readBytes(String path) throws IOException {
    return readBytes(path, DEFAULT_MAX_BYTES);
  }

  /**
   * A file's bytes.
   *
   * @param maxBytes 0 to 2,147,483,631; a larger file is {@link Reason#TOO_LARGE}, also when it
   *     grows while it is read
   */
  public byte[] readBytes(String path, int maxBytes) throws IOException {
    return files.read(text(path), bound("maxBytes", maxBytes, MOST_BYTES));
  }

  /** The same by the path of an {@link Entry}. */
  public byte[] readBytes(Path path, int maxBytes) throws IOException {
    return files.read(checked(path), bound("maxBytes", maxBytes, MOST_BYTES));
  }

  /**
   * Writes a text as UTF-8; see {@link #write(String, byte[])}.
   *
   * @throws IllegalArgumentException also for a text with half of a surrogate pair
   */
  public void write(String path, String text) throws IOException {
    String whole = Texts.encodable("text", Objects.requireNonNull(text, "text"));
    write(path, whole.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Puts a file, whole or not at all: into a temporary file {@code .zett-new-…} of the same
   * directory, which then takes the name. Whatever was there is replaced and never written through:
   * a FIFO, a link, or a file that has further names. Missing directories above are made.
   *
   * <p>The file belongs to the user of this JVM, which is the one that commands run as, also when
   * that is root. Its mode is 0644, or that of the regular file that it replaces, without set-id
   * bits and with reading and writing for its owner.
   */
  public void write(String path, byte[] bytes) throws IOException {
    files.write(text(path), Objects.requireNonNull(bytes, "bytes"));
  }

  /** {@link #list(String, int)} with at most {@link #DEFAULT_MAX_ENTRIES}. */
  public Listing list(String path) throws IOException {
    return list(path, DEFAULT_MAX_ENTRIES);
  }

  /**
   * What is in a directory, without {@code .} and {@code ..}; {@code "."} is the workspace.
   *
   * @param maxEntries 1 to 1,000,000
   */
  public Listing list(String path, int maxEntries) throws IOException {
    return files.list(text(path), entries(maxEntries));
  }

  /** The same by the path of an {@link Entry}. */
  public Listing list(Path path, int maxEntries) throws IOException {
    return files.list(checked(path), entries(maxEntries));
  }

  private static int entries(int maxEntries) {
    if (maxEntries < 1 || maxEntries > 1_000_000) {
      throw new IllegalArgumentException(
          "maxEntries: " + maxEntries + " is out of range; from 1 to 1000000");
    }
    return maxEntries;
  }

  /**
   * Whether something is there. A link itself counts, whether what it leads to exists or not.
   *
   * @throws SandboxFileException if a component before the last is a link, or the policy hides it
   */
  public boolean exists(String path) throws IOException {
    return files.exists(text(path));
  }

  /**
   * Deletes a file, a link itself, or an empty directory. Whole trees are for a command: {@code rm
   * -rf}.
   */
  public void delete(String path) throws IOException {
    files.delete(text(path));
  }

  /** The same by the path of an {@link Entry}. */
  public void delete(Path path) throws IOException {
    files.delete(checked(path));
  }

  /**
   * Copies a file of the host into the workspace, replacing as {@link #write(String, byte[])} does;
   * its mode is 0644, or 0755 if the host's file can be executed.
   *
   * @param host a regular file, or a link to one, of any size; not where commands write, since they
   *     could put a link there
   * @throws IllegalArgumentException also if {@code host} is no such file
   */
  public void copyIn(Path host, String path) throws IOException {
    files.copyIn(Objects.requireNonNull(host, "host"), text(path));
  }

  /** {@link #copyOut(String, Path, long)} with at most {@link #DEFAULT_MAX_COPY_BYTES}. */
  public void copyOut(String path, Path host) throws IOException {
    copyOut(path, host, DEFAULT_MAX_COPY_BYTES);
  }

  /**
   * Copies a file of the workspace to the host, whole or not at all, without its mode.
   *
   * @param host a file in an existing directory, replaced if it exists; not where commands write,
   *     since they could put a link there
   * @param maxBytes of the file, 0 or more; a larger one is {@link Reason#TOO_LARGE}, also when it
   *     grows while it is copied
   * @throws IllegalArgumentException also if {@code host} is a directory or where commands write
   */
  public void copyOut(String path, Path host, long maxBytes) throws IOException {
    bound("maxBytes", maxBytes, Long.MAX_VALUE);
    files.copyOut(text(path), Objects.requireNonNull(host, "host"), maxBytes);
  }

  private static String text(String path) {
    return Texts.encodable("path", Objects.requireNonNull(path, "path"));
  }

  private static Path checked(Path path) {
    return GivenPath.checked("path", path);
  }

  private static int bound(String option, int value, int most) {
    return (int) bound(option, (long) value, most);
  }

  private static long bound(String option, long value, long most) {
    if (value < 0 || value > most) {
      throw new IllegalArgumentException(
          option + ": " + value + " is out of range; from 0 to " + most + " bytes");
    }
    return value;
  }
}
