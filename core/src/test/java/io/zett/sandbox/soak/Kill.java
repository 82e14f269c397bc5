package io.zett.sandbox.soak;

import io.zett.sandbox.cases.outside.ControlGroups;
import io.zett.sandbox.cases.outside.Possessions;
import io.zett.sandbox.cases.outside.Sleepers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What a JVM had when it was killed, and whether it is there still. */
final class Kill {
  private final long pid;
  private final Sleepers sleepers;
  private final Set<String> groups;
  private List<Path> directories = List.of();

  private Kill(long pid, Sleepers sleepers, Set<String> groups) {
    this.pid = pid;
    this.sleepers = sleepers;
    this.groups = groups;
  }

  /** Before the kill, of a JVM that has a session (setsid(2)) of its own. */
  static Kill of(long pid, Sleepers sleepers) throws IOException {
    return new Kill(pid, sleepers, ControlGroups.heldBy(pid));
  }

  /** After the kill: what is in the folder for temporary files. */
  void died(Path temporary) {
    directories = left(temporary);
  }

  /** The private directories in the folder. */
  static List<Path> left(Path temporary) {
    return Possessions.entries(temporary).stream()
        .filter(path -> path.getFileName().toString().startsWith("zett-"))
        .toList();
  }

  /** What is left of it, for people. */
  @Override
  public String toString() {
    return pid + ": " + remains();
  }

  int directories() {
    return directories.size();
  }

  Set<String> groups() {
    return groups;
  }

  /** Those of its directories and groups that are still there. */
  List<Path> remains() {
    List<Path> remains = new ArrayList<>(directories.stream().filter(Files::exists).toList());
    try {
      remains.addAll(ControlGroups.existing(groups));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return remains;
  }

  /** Its processes, whatever they are: those of its session, and those of its commands. */
  List<Long> processes() {
    List<Long> all = new ArrayList<>(SessionProcesses.of(pid));
    all.addAll(sleepers.alive());
    return all;
  }
}
