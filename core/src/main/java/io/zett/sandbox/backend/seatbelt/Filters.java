package io.zett.sandbox.backend.seatbelt;

import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayList;
import java.util.List;

/** Writes the conditions of rules about paths; each path in every form that it may be met in. */
final class Filters {

  private final Parameters parameters;
  private final PathForms forms;

  Filters(Parameters parameters, PathForms forms) {
    this.parameters = parameters;
    this.forms = forms;
  }

  /** Matches a path and all below it. */
  List<String> tree(UnixPath path) {
    return each("subpath", path);
  }

  /** The same in whatever case the path is written. */
  List<String> treeInAnyCase(UnixPath path) {
    List<String> filters = new ArrayList<>(tree(path));
    AnyCase.subtree(path)
        .ifPresent(regex -> filters.add(filter("regex", "TREE_IN_ANY_CASE", regex)));
    return filters;
  }

  /** Matches a path alone. */
  List<String> itself(UnixPath path) {
    return each("literal", path);
  }

  /** The same in whatever case the path is written. */
  List<String> itselfInAnyCase(UnixPath path) {
    List<String> filters = new ArrayList<>(itself(path));
    AnyCase.itself(path)
        .ifPresent(regex -> filters.add(filter("regex", "PATH_IN_ANY_CASE", regex)));
    return filters;
  }

  private List<String> each(String filter, UnixPath path) {
    List<String> filters = new ArrayList<>();
    for (UnixPath form : forms.of(path)) {
      filters.add(filter(filter, "PATH", form.latin1()));
    }
    return filters;
  }

  private String filter(String filter, String kind, String value) {
    return "(" + filter + " (param \"" + parameters.name(kind, value) + "\"))";
  }
}
