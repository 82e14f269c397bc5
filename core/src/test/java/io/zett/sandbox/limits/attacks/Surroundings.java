package io.zett.sandbox.limits.attacks;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Programs;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The environments that docs/limits.md has a table for. */
enum Surroundings {
  ROOT_V1("Root, control groups of version 1"),
  USER_NONE("A user who may make no control group"),
  USER_V1("A user with a group of its own in each tree of version 1"),
  ROOT_V2("Root, control groups of version 2"),
  USER_SYSTEMD("A user with a user session of systemd"),
  USER_V2("A user with a group of its own in the tree of version 2, without systemd");

  /** Names the environment where it was made for the test. */
  private static final String PROPERTY = "zett.test.surroundings";

  static final String SLOW = "zett.test.slow";

  /** Memory, processors, processor time and processes. */
  private static final int GROUPED = 4;

  private final String title;

  Surroundings(String title) {
    this.title = title;
  }

  /** For people. */
  String title() {
    return title;
  }

  /** Where this JVM runs; empty for a machine that is none of them. */
  static Optional<Surroundings> current() {
    String named = System.getProperty(PROPERTY);
    if (named != null) {
      return Arrays.stream(values()).filter(each -> each.name().equals(named)).findFirst();
    }
    ResourceReport report = SandboxSession.builder().build().capabilities();
    List<String> grouped =
        report.limits().values().stream()
            .map(Enforcement::mechanism)
            .filter(mechanism -> mechanism.startsWith("cgroup"))
            .toList();
    if (Programs.isRoot()) {
      boolean all = grouped.equals(Collections.nCopies(GROUPED, "cgroup v1"));
      return all ? Optional.of(ROOT_V1) : Optional.empty();
    }
    return grouped.isEmpty() && report.isolated() ? Optional.of(USER_NONE) : Optional.empty();
  }

  /** A machine so slow that an attack is repeated less often there. */
  static boolean isSlow() {
    return Boolean.getBoolean(SLOW);
  }

  /** As often as wanted, or at most so often on a slow machine. */
  static int times(int wanted, int slowly) {
    return isSlow() ? slowly : wanted;
  }
}
