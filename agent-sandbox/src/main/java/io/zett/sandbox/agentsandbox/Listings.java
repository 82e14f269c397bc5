package io.zett.sandbox.agentsandbox;

import io.zett.sandbox.SandboxFileException;
import io.zett.sandbox.SandboxFileException.Reason;
import io.zett.sandbox.SandboxFiles;
import io.zett.sandbox.SandboxFiles.Entry;
import io.zett.sandbox.SandboxFiles.Kind;
import io.zett.sandbox.SandboxFiles.Listing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springaicommunity.sandbox.FileEntry;
import org.springaicommunity.sandbox.FileType;

/** Trees of a workspace. Without recursion: a hostile command makes them as deep as it likes. */
final class Listings {
  private static final int MOST_ENTRIES = 1_000_000;
  private static final Set<Reason> CHANGED =
      EnumSet.of(Reason.NOT_FOUND, Reason.LINK, Reason.WRONG_KIND, Reason.DENIED);

  private final SandboxFiles files;
  private final Path workDir;

  Listings(SandboxFiles files, Path workDir) {
    this.files = files;
    this.workDir = workDir;
  }

  /** Each directory before what is in it. Links and devices are files of no size. */
  List<FileEntry> walk(String path, int maxDepth) throws IOException {
    List<FileEntry> found = new ArrayList<>();
    Deque<Iterator<Entry>> open = new ArrayDeque<>();
    Deque<Map<String, Instant>> times = new ArrayDeque<>();
    Listing first = whole(files.list(path, MOST_ENTRIES), path);
    int listed = first.entries().size();
    if (maxDepth > 0) {
      open.push(first.entries().iterator());
      times.push(ModifiedTimes.of(workDir, first));
    }
    while (!open.isEmpty()) {
      if (!open.peek().hasNext()) {
        open.pop();
        times.pop();
        continue;
      }
      Entry entry = open.peek().next();
      found.add(entry(entry, times.peek()));
      if (WorkspaceFiles.isOpenDirectory(entry) && open.size() < maxDepth) {
        Listing below = below(entry);
        listed += below.entries().size();
        if (listed > MOST_ENTRIES) {
          throw tooMany(path);
        }
        open.push(below.entries().iterator());
        times.push(ModifiedTimes.of(workDir, below));
      }
    }
    return found;
  }

  private FileEntry entry(Entry entry, Map<String, Instant> times) {
    return new FileEntry(
        entry.name(),
        entry.kind() == Kind.DIRECTORY ? FileType.DIRECTORY : FileType.FILE,
        workDir.relativize(entry.path()).toString(),
        entry.size(),
        times.getOrDefault(entry.name(), Instant.EPOCH));
  }

  /** What has gone, or is something else by now, has nothing below. */
  private Listing below(Entry directory) throws IOException {
    try {
      return whole(files.list(directory.path(), MOST_ENTRIES), directory.name());
    } catch (SandboxFileException e) {
      if (CHANGED.contains(e.reason())) {
        return new Listing(List.of(), false);
      }
      throw e;
    }
  }

  private record Step(Path directory, boolean emptied) {}

  /**
   * Deletes all that is in a directory. A directory that is filled again meanwhile is an error, not
   * a reason to go on for ever.
   */
  void deleteContent(String path) throws IOException {
    Deque<Step> steps = new ArrayDeque<>();
    delete(whole(files.list(path, MOST_ENTRIES), path), steps);
    while (!steps.isEmpty()) {
      Step step = steps.pop();
      if (step.emptied()) {
        files.delete(step.directory());
      } else {
        steps.push(new Step(step.directory(), true));
        delete(whole(files.list(step.directory(), MOST_ENTRIES), path), steps);
      }
    }
  }

  private void delete(Listing listing, Deque<Step> steps) throws IOException {
    for (Entry entry : listing.entries()) {
      if (WorkspaceFiles.isOpenDirectory(entry)) {
        steps.push(new Step(entry.path(), false));
      } else {
        files.delete(entry.path());
      }
    }
  }

  private static Listing whole(Listing listing, String path) throws SandboxFileException {
    if (listing.truncated()) {
      throw tooMany(path);
    }
    return listing;
  }

  private static SandboxFileException tooMany(String path) {
    return new SandboxFileException(
        path,
        Reason.TOO_LARGE,
        "has more than " + MOST_ENTRIES + " entries; use a command, such as find or rm -rf",
        null);
  }
}
