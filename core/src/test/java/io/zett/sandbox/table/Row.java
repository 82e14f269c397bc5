package io.zett.sandbox.table;

/**
 * One line of the table.
 *
 * @param setting the policy
 * @param act what is tried
 * @param path with what: below the scene, or absolute; {@code TMPDIR/} and {@code HOME/} are what
 *     the command has as such
 * @param linux whether it works in bubblewrap
 * @param mac whether it works in Seatbelt
 * @param platforms the line of the contract's table of platforms that says why they differ; empty
 *     where they do not
 */
record Row(Setting setting, Act act, String path, boolean linux, boolean mac, String platforms) {

  static Row works(Setting setting, Act act, String path) {
    return new Row(setting, act, path, true, true, "");
  }

  static Row fails(Setting setting, Act act, String path) {
    return new Row(setting, act, path, false, false, "");
  }

  static Row linuxOnly(Setting setting, Act act, String path, String platforms) {
    return new Row(setting, act, path, true, false, platforms);
  }

  static Row macOnly(Setting setting, Act act, String path, String platforms) {
    return new Row(setting, act, path, false, true, platforms);
  }

  @Override
  public String toString() {
    return setting + ": " + act + " " + path;
  }
}
