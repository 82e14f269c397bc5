package io.zett.sandbox.cli;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Limit;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.engine.Doctor;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;

/** {@code zett doctor}: what works on this machine, and how to mend what does not. */
final class DoctorCommand {
  private DoctorCommand() {}

  static int run(SandboxPolicy policy, boolean json, Streams streams) {
    Doctor.Diagnosis diagnosis = Doctor.diagnose(policy);
    try {
      if (json) {
        write(diagnosis, streams.out());
      } else {
        print(diagnosis, streams.text());
      }
    } catch (IOException e) {
      streams.say("standard output: " + e.getMessage());
      return ExitStatus.UNUSABLE;
    }
    return diagnosis.report().isolated() ? ExitStatus.OK : ExitStatus.UNUSABLE;
  }

  static void print(Doctor.Diagnosis diagnosis, PrintStream out) {
    out.println(diagnosis.report());
    out.println();
    for (Doctor.Check check : diagnosis.checks()) {
      out.println(word(check.level()) + check.name() + ": " + check.detail());
      if (!check.ok() && !check.fix().isEmpty()) {
        out.println("         to mend it: " + check.fix());
      }
    }
    out.flush();
  }

  /** What holds in part is no failure: the sandbox works, and says what it cannot promise. */
  private static String word(Enforcement.Level level) {
    return switch (level) {
      case FULL -> "ok       ";
      case PARTIAL -> "PARTIAL  ";
      case NONE -> "FAIL     ";
    };
  }

  static void write(Doctor.Diagnosis diagnosis, OutputStream out) throws IOException {
    ResourceReport report = diagnosis.report();
    JsonObject.print(
        out,
        json -> {
          json.put("backend", report.backend().wireName());
          json.put("isolated", report.isolated());
          var limits = json.startObjectField("limits");
          for (Map.Entry<Limit, Enforcement> entry : report.limits().entrySet()) {
            Enforcement how = entry.getValue();
            var limit = limits.startObjectField(entry.getKey().wireName());
            limit.put("level", how.level().wireName());
            limit.put("mechanism", how.mechanism());
            limit.put("scope", how.scope().wireName());
            limit.put("detail", how.detail());
            limit.end();
          }
          limits.end();
          var checks = json.startArrayField("checks");
          for (Doctor.Check check : diagnosis.checks()) {
            var object = checks.startObject();
            object.put("name", check.name());
            object.put("ok", check.ok());
            object.put("detail", check.detail());
            JsonObject.text(object, "fix", check.fix().isEmpty() ? null : check.fix());
            object.end();
          }
          checks.end();
        });
  }
}
