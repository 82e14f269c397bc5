package io.zett.sandbox.limits;

import io.zett.sandbox.Limit;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** The controllers of control groups that limits need, with their names in the kernel. */
enum Controller {
  MEMORY("memory", Limit.MEMORY),
  PIDS("pids", Limit.PROCESSES),
  CPU("cpu", Limit.CPUS),
  /** Version 2 counts processor time in every group, without any controller. */
  CPUACCT("cpuacct", Limit.CPU_SECONDS);

  private final String kernelName;
  private final Limit limit;

  Controller(String kernelName, Limit limit) {
    this.kernelName = kernelName;
    this.limit = limit;
  }

  String kernelName() {
    return kernelName;
  }

  /** The limit that it keeps. */
  Limit limit() {
    return limit;
  }

  /** What is written to {@code cgroup.subtree_control} to offer them; nothing for the last. */
  static String offering(Collection<Controller> controllers) {
    return controllers.stream()
        .filter(controller -> controller != CPUACCT)
        .map(controller -> "+" + controller.kernelName)
        .collect(Collectors.joining(" "));
  }

  static List<Controller> all() {
    return Arrays.asList(values());
  }
}
