package io.zett.sandbox.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import com.fasterxml.jackson.jr.ob.comp.ObjectComposer;
import io.zett.sandbox.batch.JobResult;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Where results go, a line each; a line is written at once, so a kill leaves whole ones. */
final class JobResults implements AutoCloseable {
  /** How every line begins. */
  private static final String BEGINNING = "{\"id\":\"";

  private final OutputStream out;
  private final boolean own;
  private final Set<String> done;

  private JobResults(OutputStream out, boolean own, Set<String> done) {
    this.out = out;
    this.own = own;
    this.done = done;
  }

  /** Into a stream that stays open. */
  static JobResults into(OutputStream out) {
    return new JobResults(out, false, Set.of());
  }

  /**
   * Into a file.
   *
   * @param resume whether to add to what it has; then a last line that is not whole is cut off
   * @throws UsageException if it has results and nothing was said about them
   */
  static JobResults into(Path file, boolean resume) throws IOException {
    FileChannel channel =
        resume
            ? FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)
            : FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      lock(file, channel);
      Set<String> done = new HashSet<>();
      if (resume) {
        channel.truncate(whole(file, channel, done));
        channel.position(channel.size());
      } else if (Files.isRegularFile(file) && channel.size() > 0) { // Nobody adds to it any more.
        throw new UsageException(
            "-o: " + file + " has something in it already",
            "--resume adds to it; else name another file, or remove it");
      }
      return new JobResults(Channels.newOutputStream(channel), true, done);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** The kernel takes it back when this process ends, however it ends (fcntl(2)). */
  private static void lock(Path file, FileChannel channel) {
    if (!Files.isRegularFile(file)) {
      return;
    }
    boolean free;
    try {
      free = channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      free = false;
    } catch (IOException e) {
      free = true; // Some file systems know no locks.
    }
    if (!free) {
      throw new UsageException(
          "-o: " + file + " is written by another batch", "wait for its end, or name another file");
    }
  }

  /** How long the file is up to its last whole line. */
  private static long whole(Path file, FileChannel channel, Set<String> done) throws IOException {
    long end = 0;
    long number = 0;
    InputStream in = new BufferedInputStream(Channels.newInputStream(channel));
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0; next = in.read()) {
      line.write(next);
      if (next == '\n') {
        number++;
        end += line.size();
        done.add(id(file, number, line.toString(StandardCharsets.UTF_8)));
        line.reset();
      }
    }
    String rest = line.toString(StandardCharsets.UTF_8);
    if (!rest.isEmpty() && !rest.startsWith(BEGINNING) && !BEGINNING.startsWith(rest)) {
      throw notOurs(file, number + 1);
    }
    return end;
  }

  private static String id(Path file, long number, String line) {
    try {
      Map<String, Object> members = JSON.std.mapFrom(line);
      if (members != null
          && members.get("id") instanceof String id
          && members.containsKey("outcome")) {
        return id;
      }
    } catch (IOException e) {
      // Told below.
    }
    throw notOurs(file, number);
  }

  private static UsageException notOurs(Path file, long number) {
    return new UsageException(
        "-o: " + file + ", line " + number + " is no result of a batch",
        "name the file that the batch has written, or another one");
  }

  /** The ids of the jobs that have a result already. */
  Set<String> done() {
    return done;
  }

  /** Adds one; the host, where it is told, comes last. */
  void write(JobResult result, String host) throws IOException {
    JsonObject.print(
        out,
        json -> {
          json.put("id", result.id());
          if (result.result().isPresent() && result.backend().isPresent()) {
            ResultJson.members(result.result().get(), result.backend().get(), json);
          } else {
            ResultJson.members(Failure.of(result.failure().orElseThrow()), json);
          }
          files(json, result.files());
          ObjectComposer<?> errors = json.startObjectField("fileErrors");
          for (Map.Entry<String, String> error : result.fileErrors().entrySet()) {
            errors.put(error.getKey(), error.getValue());
          }
          errors.end();
          if (!host.isEmpty()) {
            json.put("host", host);
          }
        });
  }

  private static void files(ObjectComposer<?> json, Map<String, byte[]> files) throws IOException {
    ObjectComposer<?> object = json.startObjectField("files");
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      try {
        String text =
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(file.getValue())).toString();
        object.put(file.getKey(), text);
      } catch (CharacterCodingException e) {
        ObjectComposer<?> encoded = object.startObjectField(file.getKey());
        encoded.put("base64", Base64.getEncoder().encodeToString(file.getValue()));
        encoded.end();
      }
    }
    object.end();
  }

  @Override
  public void close() throws IOException {
    if (own) {
      out.close();
    }
  }
}
