package io.zett.sandbox.agentsandbox;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.zett.sandbox.SandboxFiles.Entry;
import io.zett.sandbox.SandboxFiles.Listing;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When files were last modified. Each directory is opened by its name in the one before, and no
 * link is followed: what a command exchanges meanwhile shows nothing of the rest of the disk.
 */
final class ModifiedTimes {
  private ModifiedTimes() {}

  /** By name; without those that cannot be told any more, and those that are hidden. */
  static Map<String, Instant> of(Path workDir, Listing listing) {
    Map<String, Instant> times = new HashMap<>();
    if (listing.entries().isEmpty()) {
      return times;
    }
    Path directory = workDir.relativize(listing.entries().getFirst().path()).getParent();
    try {
      read(workDir, directory, listing, times);
    } catch (IOException e) {
      return times; // The directory has gone meanwhile.
    }
    return times;
  }

  /** One directory is open at a time, however deep it goes. */
  private static void read(
      Path workDir, @Nullable Path directory, Listing listing, Map<String, Instant> times)
      throws IOException {
    DirectoryStream<Path> open = Files.newDirectoryStream(workDir);
    try {
      for (Path name : directory == null ? List.<Path>of() : directory) {
        DirectoryStream<Path> next = secure(open).newDirectoryStream(name, NOFOLLOW_LINKS);
        open.close();
        open = next;
      }
      for (Entry entry : listing.entries()) {
        Path name = entry.path().getFileName();
        if (!entry.hidden() && name != null) {
          read(secure(open), name, entry.name(), times);
        }
      }
    } finally {
      open.close();
    }
  }

  private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> open) throws IOException {
    if (open instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    throw new IOException("this platform opens no directory in another");
  }

  private static void read(
      SecureDirectoryStream<Path> open, Path file, String name, Map<String, Instant> times) {
    try {
      var view = open.getFileAttributeView(file, BasicFileAttributeView.class, NOFOLLOW_LINKS);
      times.put(name, view.readAttributes().lastModifiedTime().toInstant());
    } catch (IOException e) {
      times.remove(name); // It has gone meanwhile.
    }
  }
}
