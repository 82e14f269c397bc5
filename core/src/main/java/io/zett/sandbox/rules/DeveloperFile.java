package io.zett.sandbox.rules;

/**
 * One entry of the list of files that the host executes or obeys by itself.
 *
 * @param path relative, without {@code ..}; a component may be {@code *}, any name that is there
 * @param place what it is relative to
 * @param onlyExisting whether it is protected only where it exists
 * @param directory whether an empty directory stands for it where it is missing
 * @param about what it is, in a few words
 */
public record DeveloperFile(
    String path, Place place, boolean onlyExisting, boolean directory, String about) {

  /** What an entry is relative to. */
  public enum Place {
    /** The top of a writable directory. */
    TOP,
    /** A git directory: {@code .git} at the top of a writable directory, or that itself. */
    GIT,
    /** A home directory. */
    HOME
  }

  private static final String IN_GIT = ".git/";
  private static final String IN_HOME = "~/";

  /** Whether a component stands for any name. */
  public boolean isPattern() {
    return path.indexOf('*') >= 0;
  }

  /**
   * Reads an entry as the list has it.
   *
   * @throws IllegalArgumentException for one of another form
   */
  static DeveloperFile parse(String entry, String about) {
    String path = entry;
    boolean onlyExisting = path.startsWith("?");
    boolean directory = path.endsWith("/");
    path = path.substring(onlyExisting ? 1 : 0, path.length() - (directory ? 1 : 0));
    Place place = Place.TOP;
    if (path.startsWith(IN_GIT)) {
      place = Place.GIT;
      path = path.substring(IN_GIT.length());
    } else if (path.startsWith(IN_HOME)) {
      place = Place.HOME;
      path = path.substring(IN_HOME.length());
    }
    if (path.isEmpty() || ("/" + path + "/").matches(".*/(|\\.|\\.\\.)/.*|.*~.*")) {
      throw new IllegalArgumentException("not an entry of the list: \"" + entry + "\"");
    }
    return new DeveloperFile(path, place, onlyExisting || path.indexOf('*') >= 0, directory, about);
  }
}
