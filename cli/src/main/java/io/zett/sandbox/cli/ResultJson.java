package io.zett.sandbox.cli;

import com.fasterxml.jackson.jr.ob.comp.ObjectComposer;
import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.Usage;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** The one object that {@code zett run --json} prints. The order of its keys is part of it. */
final class ResultJson {
  private ResultJson() {}

  static void write(SandboxResult result, SandboxBackend backend, OutputStream out)
      throws IOException {
    JsonObject.print(out, json -> members(result, backend, json));
  }

  /** Nothing was run: no output, and nothing known about a command. */
  static void write(Failure failure, OutputStream out) throws IOException {
    JsonObject.print(out, json -> members(failure, json));
  }

  static void members(SandboxResult result, SandboxBackend backend, ObjectComposer<?> json)
      throws IOException {
    Outcome outcome = result.outcome();
    Limit limit = outcome instanceof Outcome.LimitExceeded(Limit hit) ? hit : null;
    json.put("outcome", outcome.wireName());
    JsonObject.text(json, "limit", limit == null ? null : limit.wireName());
    limits(json, result.limitsHit());
    json.put("exitCode", result.exitCode());
    if (outcome instanceof Outcome.Signaled(int signal)) {
      json.put("signal", signal);
    } else {
      json.putNull("signal");
    }
    json.put("timedOut", result.timedOut());
    json.put("stdout", result.stdout());
    json.put("stderr", result.stderr());
    json.put("stdoutTotalBytes", result.stdoutTotalBytes());
    json.put("stderrTotalBytes", result.stderrTotalBytes());
    json.put("stdoutTruncated", result.stdoutTruncated());
    json.put("stderrTruncated", result.stderrTruncated());
    usage(json, result.usage());
    json.put("backend", backend.wireName());
    json.putNull("error");
  }

  static void members(Failure failure, ObjectComposer<?> json) throws IOException {
    json.put("outcome", "error");
    json.putNull("limit");
    limits(json, EnumSet.noneOf(Limit.class));
    json.putNull("exitCode");
    json.putNull("signal");
    json.put("timedOut", false);
    json.put("stdout", "");
    json.put("stderr", "");
    json.put("stdoutTotalBytes", 0L);
    json.put("stderrTotalBytes", 0L);
    json.put("stdoutTruncated", false);
    json.put("stderrTruncated", false);
    json.putNull("wallSeconds");
    json.putNull("setupSeconds");
    json.putNull("cpuSeconds");
    json.putNull("peakMemoryBytes");
    json.putNull("backend");
    var error = json.startObjectField("error");
    error.put("kind", failure.kind().wireName());
    JsonObject.text(error, "step", failure.step());
    JsonObject.text(error, "path", failure.path());
    error.put("message", failure.message());
    JsonObject.text(error, "fix", failure.fix());
    error.end();
  }

  private static void usage(ObjectComposer<?> json, Usage usage) throws IOException {
    json.putObject("wallSeconds", seconds(usage.wall()));
    json.putObject("setupSeconds", seconds(usage.setup()));
    if (usage.cpu().isPresent()) {
      json.putObject("cpuSeconds", seconds(usage.cpu().get()));
    } else {
      json.putNull("cpuSeconds");
    }
    if (usage.peakMemory().isPresent()) {
      json.put("peakMemoryBytes", usage.peakMemory().getAsLong());
    } else {
      json.putNull("peakMemoryBytes");
    }
  }

  private static void limits(ObjectComposer<?> json, Set<Limit> limits) throws IOException {
    var array = json.startArrayField("limitsHit");
    for (Limit limit : limits) {
      array.add(limit.wireName());
    }
    array.end();
  }

  /** To the microsecond, so that it is never written with an exponent. */
  private static BigDecimal seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toNanos() / 1000, 6);
  }
}
