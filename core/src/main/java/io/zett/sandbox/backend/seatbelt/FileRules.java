package io.zett.sandbox.backend.seatbelt;

import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The part of a profile that is about files.
 *
 * <p>Public reports differ on which of two rules counts: the last, or one whose operation or filter
 * is narrower. So each rule that allows leaves out by itself what is denied in it, and what is
 * denied after it is denied by its exact operation and path.
 */
final class FileRules {

  private final List<Region> readable;
  private final List<Region> writable;
  private final Set<UnixPath> held = new TreeSet<>();
  private final Set<UnixPath> passed = new TreeSet<>();

  FileRules(SeatbeltRules rules) {
    readable = rules.readable();
    writable = rules.writable();
    held.addAll(rules.pinned());
    for (Region region : writable) {
      held.add(region.root());
      region.without().forEach(path -> addBetween(path, region.root(), held));
      for (Region own : rules.own()) {
        if (own.root().startsWith(region.root()) && !own.root().equals(region.root())) {
          held.add(own.root());
          addBetween(own.root(), region.root(), held);
        }
      }
    }
    for (Region region : readable) {
      UnixPath hidden = hiddenAbove(region.root());
      if (hidden != null) {
        passed.add(hidden);
        addBetween(region.root(), hidden, passed);
      }
    }
  }

  /** The hidden directory that a readable one lies in; null when it lies in none. */
  private @Nullable UnixPath hiddenAbove(UnixPath path) {
    UnixPath innermost = null;
    for (Region region : readable) {
      for (UnixPath hidden : region.without()) {
        if (path.startsWith(hidden)) {
          innermost = hidden; // Enclosing regions come first.
        }
      }
    }
    return innermost;
  }

  /** Adds every directory strictly between the two. */
  private static void addBetween(UnixPath path, UnixPath top, Set<UnixPath> to) {
    for (UnixPath at = path.parent(); at != null && !at.equals(top); at = at.parent()) {
      to.add(at);
    }
  }

  void writeTo(ProfileText text, Filters filters) {
    text.comment("Everything can be read but what is hidden.");
    for (Region region : readable) {
      text.rule("allow file-read* file-map-executable", region(filters, region));
    }
    if (!passed.isEmpty()) {
      text.comment("On the way to something readable, realpath(3) looks at hidden directories.");
      text.rule("allow file-read-metadata", each(passed, filters::itself));
    }
    text.comment("Nothing can be written but this.");
    for (Region region : writable) {
      text.rule("allow file-write*", region(filters, region));
    }
    text.comment("A directory moved away would take the protection of what is in it along.");
    text.rule("deny file-write-unlink file-write-create", each(held, filters::itselfInAnyCase));
    text.comment("A hard link would be a name without protection; set-id files last on the host.");
    text.rule("deny file-link", List.of());
    text.rule("deny file-write-setugid", List.of());
  }

  private static List<String> each(Set<UnixPath> paths, Function<UnixPath, List<String>> filters) {
    return paths.stream().map(filters).flatMap(List::stream).toList();
  }

  /** The condition of being in a region; the tree of a missing path is said to begin below it. */
  private static List<String> region(Filters filters, Region region) {
    List<String> without = new ArrayList<>();
    for (UnixPath path : region.without()) {
      without.addAll(filters.itself(path));
      without.addAll(filters.treeInAnyCase(path));
    }
    List<String> root = region.root().isRoot() ? List.of() : filters.tree(region.root());
    return ProfileText.anyWithout(root, without);
  }
}
