package io.zett.sandbox.workspace;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Makes trees that Java cannot make, and looks at them. */
final class Trees {

  private Trees() {}

  /** Runs a shell script in a directory and demands success. */
  static String sh(Path directory, String script, String... arguments) {
    return run(
        directory,
        Stream.concat(Stream.of("sh", "-euc", script, "sh"), Stream.of(arguments)).toList());
  }

  /** Runs Perl, which every Linux has, for the calls that the shell has not. */
  static String perl(Path directory, String script, String... arguments) {
    return run(
        directory, Stream.concat(Stream.of("perl", "-e", script), Stream.of(arguments)).toList());
  }

  private static String run(Path directory, List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(command + "\n" + output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static Deletion delete(Posix posix, Path tree) {
    UnixPath path = UnixPath.of(tree);
    int parent = Folders.open(posix, path.parent());
    try {
      return TreeDeletion.delete(posix, parent, path.name(), path);
    } finally {
      posix.close(parent);
    }
  }

  static boolean exists(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** Names in a directory. */
  static List<String> names(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Each file below with its mode, owner, size and time: what must not change. */
  static Map<String, Object> snapshot(Path directory) {
    Map<String, Object> all = new TreeMap<>();
    try (Stream<Path> entries = Files.walk(directory)) {
      for (Path entry : entries.toList()) {
        Map<String, Object> attributes =
            new TreeMap<>(
                Files.readAttributes(
                    entry, "unix:mode,uid,size,lastModifiedTime", LinkOption.NOFOLLOW_LINKS));
        attributes.put("content", Files.isRegularFile(entry) ? Files.readString(entry) : "");
        all.put(directory.relativize(entry).toString(), attributes);
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
