package io.zett.sandbox.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where and when a run was made. */
final class Machine {
  private Machine() {}

  /** The facts by name, in the order of reading. */
  static Map<String, String> facts() throws IOException {
    OperatingSystemMXBean system = system();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
    facts.put("commit", Programs.firstLine(List.of("git", "rev-parse", "--short", "HEAD")));
    facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("processor", value(Path.of("/proc/cpuinfo"), "model name"));
    facts.put("memory", (system.getTotalMemorySize() >> 20) + " MiB");
    facts.put("load at the beginning", Figures.text(system.getSystemLoadAverage()));
    facts.put("kernel", Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip());
    facts.put("system", value(Path.of("/etc/os-release"), "PRETTY_NAME").replace("\"", ""));
    facts.put("user", System.getProperty("user.name"));
    facts.put("Java", System.getProperty("java.vendor") + " " + Runtime.version());
    facts.put("bubblewrap", Programs.firstLine(List.of("bwrap", "--version")));
    facts.values().removeIf(String::isEmpty);
    return facts;
  }

  /** Processor time of this process so far, all its threads together, in nanoseconds. */
  static long processorTime() {
    return system().getProcessCpuTime();
  }

  private static OperatingSystemMXBean system() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  }

  /** What a file of names and values has for a name; empty when it has nothing. */
  private static String value(Path file, String name) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith(name))
        .findFirst()
        .map(line -> line.replaceFirst("^[^:=]*[:=] *", "").strip())
        .orElse("");
  }
}
