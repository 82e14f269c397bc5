package io.zett.sandbox.tools;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What holds in the sandbox.
 *
 * @param workspace the directory that commands write
 * @param policy what is allowed
 * @param report how it is enforced
 * @param rules the same in sentences for models
 */
public record Capabilities(
    String workspace, SandboxPolicy policy, ResourceReport report, String rules)
    implements ToolReport {

  /** Refuses null. */
  public Capabilities {
    Objects.requireNonNull(workspace, "workspace");
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(report, "report");
    Objects.requireNonNull(rules, "rules");
  }

  @Override
  public String text() {
    return "workspace: " + workspace + "\n" + rules + "\n" + report + "\n";
  }

  @Override
  public Map<String, Object> structured() {
    List<Map<String, Object>> limits = new ArrayList<>();
    report
        .limits()
        .forEach(
            (limit, how) ->
                limits.add(
                    new Fields()
                        .put("limit", limit.wireName())
                        .put("value", PolicyWords.value(policy, limit))
                        .put("level", how.level().wireName())
                        .put(
                            "scope",
                            how.level() == Enforcement.Level.NONE ? null : how.scope().wireName())
                        .put("mechanism", how.mechanism())
                        .put("detail", how.detail())
                        .map()));
    return new Fields()
        .put("workspace", workspace)
        .put("backend", report.backend().wireName())
        .put("isolated", report.isolated())
        .put("network", policy.network().wireName())
        .put("home", policy.home().wireName())
        .put("rules", rules)
        .put("limits", List.copyOf(limits))
        .map();
  }
}
