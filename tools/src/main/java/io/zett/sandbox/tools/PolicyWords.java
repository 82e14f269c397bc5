package io.zett.sandbox.tools;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.Limit;
import io.zett.sandbox.NetworkMode;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A policy in sentences for models: what surprises, and what is bounded. */
final class PolicyWords {
  private final SandboxPolicy policy;
  private final ResourceReport report;

  PolicyWords(SandboxPolicy policy, ResourceReport report) {
    this.policy = policy;
    this.report = report;
  }

  /** All of it. */
  String text() {
    return report.isolated() ? String.join(" ", files(), network(), limits()) : notIsolated();
  }

  private String notIsolated() {
    return "Nothing is isolated here: commands run with all rights of the user who started this"
        + " program. "
        + limits();
  }

  private String files() {
    List<String> sentences = new ArrayList<>();
    String more = policy.writable().isEmpty() ? "" : " and below " + paths(policy.writable());
    sentences.add(
        "Commands write in the workspace"
            + more
            + " only; everything else is read-only, and credentials are hidden.");
    sentences.add(
        "/tmp is new and empty for each command and gone with it: keep files in the workspace.");
    sentences.add(
        policy.home() == HomeMode.HOST
            ? "The home directory is read-only."
            : "The home directory is new and empty for each command.");
    if (!policy.denyRead().isEmpty()) {
      sentences.add("Hidden: " + paths(policy.denyRead()) + ".");
    }
    if (!policy.denyWrite().isEmpty()) {
      sentences.add("Read-only: " + paths(policy.denyWrite()) + ".");
    }
    if (policy.protectsDeveloperFiles()) {
      sentences.add(
          "Git's hooks and configuration, editor settings and shell start-up files cannot be"
              + " changed; git add and commit work.");
    }
    return String.join(" ", sentences);
  }

  private static String paths(List<Path> paths) {
    return paths.stream().map(Path::toString).collect(Collectors.joining(", "));
  }

  private String network() {
    return isOnline()
        ? "The network can be used."
        : "There is no network: nothing can be downloaded or installed from it, and servers that a"
            + " command starts are reached by that command only.";
  }

  /** Whether commands reach the network. */
  boolean isOnline() {
    return policy.network() == NetworkMode.UNRESTRICTED || !report.isolated();
  }

  private String limits() {
    List<String> limits = new ArrayList<>();
    for (Limit limit : Limit.values()) {
      String value = value(policy, limit);
      if (value != null) {
        boolean none = report.enforcement(limit).level() == io.zett.sandbox.Enforcement.Level.NONE;
        limits.add(
            limit.wireName().replace('_', ' ') + " " + value + (none ? " (not enforced)" : ""));
      }
    }
    return limits.isEmpty()
        ? "No limits but time are set for a command."
        : "Limits of each command with all that it starts: " + String.join(", ", limits) + ".";
  }

  /** What is set, with its unit; null for nothing. */
  static @Nullable String value(SandboxPolicy policy, Limit limit) {
    return switch (limit) {
      case MEMORY -> policy.memory().isPresent() ? size(policy.memory().getAsLong()) : null;
      case CPUS -> policy.cpus().isPresent() ? policy.cpus().getAsDouble() + " cores" : null;
      case CPU_SECONDS ->
          policy.cpuSeconds().isPresent() ? policy.cpuSeconds().getAsLong() + " s" : null;
      case PROCESSES ->
          policy.processes().isPresent() ? Integer.toString(policy.processes().getAsInt()) : null;
      case FILE_SIZE ->
          policy.maxFileSize().isPresent() ? size(policy.maxFileSize().getAsLong()) : null;
      case OPEN_FILES ->
          policy.openFiles().isPresent() ? Integer.toString(policy.openFiles().getAsInt()) : null;
      case SCRATCH_SIZE ->
          policy.scratchSize().isPresent() ? size(policy.scratchSize().getAsLong()) : null;
    };
  }

  private static String size(long bytes) {
    return bytes + " bytes";
  }
}
