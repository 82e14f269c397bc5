package io.zett.sandbox.host;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.zett.sandbox.host.ListeningSockets.Socket;
import io.zett.sandbox.host.SocketHolders.Holder;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the files of listening sockets are now: at the path that they were bound to, or wherever
 * they, or a directory above them, were moved since.
 *
 * <p>A socket whose file is where it was bound costs a look at that path. Any other is looked for
 * once: the kernel is asked through the socket itself where this user may ({@link BoundFile}), else
 * likely places are searched ({@link SocketSearch}). What came out holds for as long as the socket
 * lives and its file stays there. Thread-safe.
 */
final class SocketFiles {

  private static final List<UnixPath> USUAL =
      Stream.of("/srv", "/opt", "/var", "/mnt", "/usr/local").map(UnixPath::ofText).toList();

  private final Posix posix;
  private final List<UnixPath> likely;
  private Map<Key, Answer> answers = new HashMap<>();

  /** A socket's number is given again to another one, but hardly with the same path. */
  private record Key(long inode, String path, boolean foreign) {
    static Key of(Socket socket) {
      return new Key(socket.inode(), socket.path(), socket.foreign());
    }
  }

  /**
   * What was found out about a socket that is not, or not only, where it was bound.
   *
   * @param file which file it is bound to; null when that was not told
   * @param names all its real paths that were found
   * @param links how many names it had; -1 where that is not known
   * @param unless when that is what is mounted no longer, it may have become visible; null for
   *     never
   */
  private record Answer(
      @Nullable FileId file, Set<UnixPath> names, long links, @Nullable MountMap unless) {}

  /**
   * Finds them.
   *
   * @param likely where sockets may be beside the usual places, the likeliest first
   */
  SocketFiles(Posix posix, List<UnixPath> likely) {
    this.posix = posix;
    this.likely = List.copyOf(likely);
  }

  /**
   * Their real paths.
   *
   * @param hidden directories that no command sees
   */
  synchronized Set<UnixPath> find(
      PathWalk walk, List<Socket> sockets, MountMap mounts, Predicate<UnixPath> hidden) {
    Look look = new Look(walk, mounts, hidden);
    Map<Key, Answer> still = new HashMap<>();
    List<SoughtSocket> lost = new ArrayList<>();
    for (Socket socket : sockets) {
      Key key = Key.of(socket);
      Answer answer = answers.get(key);
      SoughtSocket sought = new SoughtSocket(socket, answer == null ? socket.file() : answer.file);
      socket.places().forEach(place -> look.add(sought, PathWalk.components(place)));
      if (answer != null && look.holds(sought, answer)) {
        still.put(key, answer);
        look.besides(sought);
      } else if (!sought.isComplete()) {
        lost.add(sought);
      }
    }
    answers = still;
    if (!lost.isEmpty()) {
      look.lookFor(lost);
    }
    look.addOtherMounts();
    return look.paths;
  }

  private final class Look {
    private final PathWalk walk;
    private final MountMap mounts;
    private final Predicate<UnixPath> hidden;
    private final Map<UnixPath, FileStatus> seen = new HashMap<>();
    final Set<UnixPath> paths = new LinkedHashSet<>();

    Look(PathWalk walk, MountMap mounts, Predicate<UnixPath> hidden) {
      this.walk = walk;
      this.mounts = mounts;
      this.hidden = hidden;
    }

    /** Any socket at a likely path is taken, this one's or not. */
    void add(SoughtSocket sought, List<String> names) {
      ResolvedPath resolved = walk.resolve(names);
      FileStatus status = resolved.status();
      if (status == null || !status.isSocket()) {
        return;
      }
      paths.add(resolved.real());
      seen.put(resolved.real(), status);
      FileId file = sought.file;
      if (file == null || file.is(status, mounts)) {
        sought.found.add(resolved.real());
        sought.names = status.nlink();
      }
    }

    @SuppressWarnings("ReferenceEquality") // Another object for each state of the table.
    boolean holds(SoughtSocket sought, Answer answer) {
      answer.names.forEach(name -> add(sought, PathWalk.components(name.latin1())));
      return sought.found.containsAll(answer.names)
          && (sought.found.isEmpty() || sought.names == answer.links)
          && (answer.unless == null || answer.unless == mounts);
    }

    void lookFor(List<SoughtSocket> lost) {
      lost.removeIf(this::isOutOfSight);
      Set<Long> inodes = new HashSet<>();
      lost.forEach(sought -> inodes.add(sought.socket.inode()));
      Map<Long, List<Holder>> holders = SocketHolders.of(posix, inodes);
      ForeignMounts tables = new ForeignMounts(posix);
      for (SoughtSocket sought : lost) {
        askHolders(sought, holders.getOrDefault(sought.socket.inode(), List.of()), tables);
      }
      search(lost, holders, tables);
      for (SoughtSocket sought : lost) {
        besides(sought);
        remember(sought, null);
      }
    }

    /** On a file system that no command sees, as {@code /run} mostly is one. */
    private boolean isOutOfSight(SoughtSocket sought) {
      FileId file = sought.file;
      if (file == null
          || mounts.points(device -> device == file.device()).stream()
              .anyMatch(point -> !hidden.test(UnixPath.of(bytes(point))))) {
        return false;
      }
      remember(sought, mounts);
      return true;
    }

    private void remember(SoughtSocket sought, @Nullable MountMap unless) {
      Set<UnixPath> names = Set.copyOf(sought.found);
      answers.put(Key.of(sought.socket), new Answer(sought.file, names, sought.names, unless));
    }

    private void askHolders(SoughtSocket sought, List<Holder> holders, ForeignMounts tables) {
      Socket socket = sought.socket;
      for (Holder holder : holders) {
        MountMap there = tables.of(holder.pid());
        BoundFile bound = BoundFile.ofSocket(posix, holder, socket.inode(), there, mounts);
        if (bound == null && (socket.foreign() || !mounts.isSameAs(there))) {
          bound = byPath(holder, socket, there);
          if (bound != null && sought.file != null && !bound.id().equals(sought.file)) {
            bound = null; // Another one has taken its place there.
          }
        }
        if (bound == null) {
          continue;
        }
        sought.file = bound.id();
        sought.found.clear(); // What was taken for it by its path alone.
        sought.names = bound.names();
        bound.places().forEach(place -> add(sought, PathWalk.components(place)));
        socket.places().forEach(place -> add(sought, PathWalk.components(place)));
        if (sought.hasAllNames()) {
          return;
        }
      }
    }

    private @Nullable BoundFile byPath(Holder holder, Socket socket, MountMap there) {
      String path = socket.path();
      if (!socket.isAbsolute()) {
        path = SocketHolders.currentDirectory(posix, holder) + "/" + path;
      }
      return BoundFile.ofPath(posix, holder, path, there, mounts);
    }

    private void search(
        List<SoughtSocket> lost, Map<Long, List<Holder>> holders, ForeignMounts tables) {
      Map<FileId, Long> wanted = new HashMap<>();
      for (SoughtSocket sought : lost) {
        if (sought.file != null && !sought.hasAllNames() && !isUnmounted(sought.file)) {
          wanted.put(sought.file, sought.names);
        }
      }
      if (wanted.isEmpty()) {
        return;
      }
      SocketSearch search = new SocketSearch(posix, mounts, wanted);
      Set<UnixPath> starts = new LinkedHashSet<>();
      for (SoughtSocket sought : lost) {
        FileId file = sought.file;
        if (file == null || !wanted.containsKey(file)) {
          continue;
        }
        for (String place : sought.socket.places()) {
          UnixPath real = walk.resolve(PathWalk.components(place)).real();
          search.nextTo(file, real);
          starts.add(nearestDirectory(real));
        }
        for (Holder holder : holders.getOrDefault(sought.socket.inode(), List.of())) {
          String directory = SocketHolders.currentDirectory(posix, holder);
          for (String at : mounts.translate(tables.of(holder.pid()), directory)) {
            starts.add(walk.resolve(PathWalk.components(at)).real());
          }
        }
      }
      likely.forEach(path -> starts.add(walk.resolve(path).real()));
      USUAL.forEach(path -> starts.add(walk.resolve(path).real()));
      search.below(starts.stream().map(UnixPath::latin1).toList());
      for (SoughtSocket sought : lost) {
        if (sought.file != null) {
          search.namesOf(sought.file).forEach(name -> add(sought, PathWalk.components(name)));
        }
      }
    }

    private boolean isUnmounted(FileId file) {
      return mounts.points(device -> device == file.device()).isEmpty();
    }

    private UnixPath nearestDirectory(UnixPath real) {
      UnixPath at = real.parent();
      while (at != null && !walk.resolve(at).isDirectory()) {
        at = at.parent();
      }
      return at == null ? UnixPath.ROOT : at;
    }

    /** Nothing tells which file it is: any socket where it was bound may be it, renamed. */
    void besides(SoughtSocket sought) {
      if (sought.file != null || !sought.found.isEmpty()) {
        return;
      }
      for (String place : sought.socket.places()) {
        List<String> names = PathWalk.components(place);
        if (!names.isEmpty()) {
          UnixPath directory = walk.resolve(names.subList(0, names.size() - 1)).real();
          if (!hidden.test(directory)) {
            paths.addAll(walk.sockets(directory));
          }
        }
      }
    }

    /** The same file under the paths of other mounts of its file system. */
    void addOtherMounts() {
      for (Map.Entry<UnixPath, FileStatus> each : seen.entrySet()) {
        MountMap.Inner inner = mounts.inner(each.getKey().latin1());
        for (String other : inner == null ? Set.<String>of() : mounts.paths(inner)) {
          if (!other.equals(each.getKey().latin1())) {
            ResolvedPath resolved = walk.resolve(PathWalk.components(other));
            FileStatus status = resolved.status();
            if (status != null && status.isSameFile(Objects.requireNonNull(each.getValue()))) {
              paths.add(resolved.real());
            }
          }
        }
      }
    }
  }

  private static byte[] bytes(String latin1) {
    return latin1.getBytes(ISO_8859_1);
  }
}
