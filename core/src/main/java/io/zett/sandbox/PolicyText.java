package io.zett.sandbox;

import java.util.Collection;
import java.util.StringJoiner;

/** A policy as one line for people: what differs from the defaults, without a variable's value. */
final class PolicyText {
  private final StringJoiner parts = new StringJoiner(", ", "SandboxPolicy[", "]");

  private PolicyText() {}

  static String of(SandboxPolicy policy) {
    PolicyText text = new PolicyText();
    policy.memory().ifPresent(bytes -> text.add("memory", Sizes.format(bytes)));
    policy.cpus().ifPresent(cores -> text.add("cpus", cores));
    policy.cpuSeconds().ifPresent(seconds -> text.add("cpuSeconds", seconds));
    policy.processes().ifPresent(count -> text.add("processes", count));
    policy.maxFileSize().ifPresent(bytes -> text.add("maxFileSize", Sizes.format(bytes)));
    policy.openFiles().ifPresent(count -> text.add("openFiles", count));
    text.choice("network", policy.network(), NetworkMode.NONE);
    text.flag("blockUnixSockets", policy.blocksUnixSockets());
    text.flag("protectDeveloperFiles", policy.protectsDeveloperFiles());
    text.list("writable", policy.writable());
    text.list("denyWrite", policy.denyWrite());
    text.list("denyRead", policy.denyRead());
    text.list("allowRead", policy.allowRead());
    text.list("env", policy.env().keySet());
    text.choice("home", policy.home(), HomeMode.HOST);
    policy.scratchSize().ifPresent(bytes -> text.add("scratchSize", Sizes.format(bytes)));
    text.add("timeout", policy.timeout().map(Durations::format).orElse("none"));
    text.choice("backend", policy.backend(), SandboxBackend.AUTO);
    text.flag("requireIsolation", policy.requireIsolation());
    text.choice("memoryStrategy", policy.memoryStrategy(), MemoryStrategy.AUTO);
    if (policy.maxConcurrent() != SandboxPolicy.DEFAULT_MAX_CONCURRENT) {
      text.add("maxConcurrent", policy.maxConcurrent());
    }
    if (policy.warm() > 0) {
      text.add("warm", policy.warm());
    }
    return text.parts.toString();
  }

  private void add(String option, Object value) {
    parts.add(option + "=" + value);
  }

  private void flag(String option, boolean set) {
    if (set) {
      add(option, true);
    }
  }

  private void list(String option, Collection<?> values) {
    if (!values.isEmpty()) {
      add(option, values);
    }
  }

  private <E extends Enum<E>> void choice(String option, E value, E usual) {
    if (value != usual) {
      add(option, Choice.word(value));
    }
  }
}
