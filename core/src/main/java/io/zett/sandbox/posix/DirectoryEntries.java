package io.zett.sandbox.posix;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** The entries of an open directory from its position on, of which one chunk is held at a time. */
final class DirectoryEntries implements Iterator<DirectoryEntry> {

  private final DirectoryCalls calls;
  private final int directory;
  private List<DirectoryEntry> chunk = List.of();
  private int next;
  private boolean ended;

  DirectoryEntries(DirectoryCalls calls, int directory) {
    this.calls = calls;
    this.directory = directory;
  }

  /** Whether there is another; reads on where the last chunk is used up. */
  @Override
  public boolean hasNext() {
    if (next == chunk.size() && !ended) {
      chunk = calls.getdents(directory);
      next = 0;
      ended = chunk.isEmpty();
    }
    return !ended;
  }

  @Override
  public DirectoryEntry next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return chunk.get(next++);
  }
}
