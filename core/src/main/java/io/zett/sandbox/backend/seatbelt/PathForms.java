package io.zett.sandbox.backend.seatbelt;

import io.zett.sandbox.host.HostView;
import io.zett.sandbox.host.ViewedRule;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.PathRule.Kind;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The names that one place has. Rules are matched against what the kernel calls a file, which is
 * the path without links: {@code /private/tmp} for {@code /tmp}. The others cost a filter, and hold
 * should it ever be told another name.
 */
final class PathForms {

  /** Links of every Mac: {@code /tmp}, {@code /var} and {@code /etc}. */
  private static final UnixPath PRIVATE = UnixPath.ofText("/private");

  private static final List<String> LINKS = List.of("tmp", "var", "etc");

  /** The disk that firmlinks of {@code /} lead to, {@code /usr/share/firmlinks}. */
  private static final UnixPath DATA = UnixPath.ofText("/System/Volumes/Data");

  private final Map<UnixPath, Set<UnixPath>> given = new HashMap<>();

  /** The forms of one look at the disk. */
  PathForms(HostView view) {
    for (ViewedRule rule : view.rules()) {
      // A link that commands can replace leads wherever they like: its name says nothing.
      if (!rule.at().replaceable() && rule.kind() != Kind.WRITABLE) {
        given.computeIfAbsent(rule.at().real(), _ -> new LinkedHashSet<>()).add(rule.given());
      }
    }
  }

  /** The path, and what else it may be called. */
  Set<UnixPath> of(UnixPath path) {
    Set<UnixPath> forms = new LinkedHashSet<>();
    forms.add(path);
    forms.addAll(given.getOrDefault(path, Set.of()));
    for (UnixPath form : List.copyOf(forms)) {
      addAliases(form, forms);
    }
    return forms;
  }

  private static void addAliases(UnixPath form, Set<UnixPath> forms) {
    UnixPath plain = form.startsWith(DATA) ? without(form, DATA) : form;
    if (plain.isRoot()) {
      return;
    }
    forms.add(plain);
    for (String link : LINKS) {
      if (plain.startsWith(UnixPath.ROOT.resolve(link))) {
        forms.add(
            PRIVATE.resolve(plain.latin1().substring(1).getBytes(StandardCharsets.ISO_8859_1)));
      } else if (plain.startsWith(PRIVATE.resolve(link))) {
        forms.add(without(plain, PRIVATE));
      }
    }
  }

  private static UnixPath without(UnixPath path, UnixPath prefix) {
    String rest = path.latin1().substring(prefix.latin1().length());
    return rest.isEmpty() ? UnixPath.ROOT : UnixPath.of(rest.getBytes(StandardCharsets.ISO_8859_1));
  }
}
