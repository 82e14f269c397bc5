package io.zett.sandbox.spark;

import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.batch.JobResult;
import java.time.Duration;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.collection.mutable.Map;
import scala.jdk.javaapi.CollectionConverters;

/** A result as a row, with the names of {@code zett run --json}. Unknown values are null. */
final class ResultRow {
  static final StructType SCHEMA =
      new StructType()
          .add("id", DataTypes.StringType, false)
          .add("host", DataTypes.StringType, false)
          .add("outcome", DataTypes.StringType, false)
          .add("limit", DataTypes.StringType)
          .add("limitsHit", DataTypes.createArrayType(DataTypes.StringType, false), false)
          .add("exitCode", DataTypes.IntegerType)
          .add("signal", DataTypes.IntegerType)
          .add("timedOut", DataTypes.BooleanType, false)
          .add("stdout", DataTypes.StringType, false)
          .add("stderr", DataTypes.StringType, false)
          .add("stdoutTotalBytes", DataTypes.LongType, false)
          .add("stderrTotalBytes", DataTypes.LongType, false)
          .add("wallSeconds", DataTypes.DoubleType)
          .add("setupSeconds", DataTypes.DoubleType)
          .add("cpuSeconds", DataTypes.DoubleType)
          .add("peakMemoryBytes", DataTypes.LongType)
          .add("backend", DataTypes.StringType)
          .add("files", DataTypes.createMapType(DataTypes.StringType, DataTypes.BinaryType))
          .add("fileErrors", DataTypes.createMapType(DataTypes.StringType, DataTypes.StringType))
          .add("error", DataTypes.StringType);

  private ResultRow() {}

  static Row of(ProgramResult program) {
    JobResult job = program.jobResult();
    Map<String, byte[]> files = CollectionConverters.asScala(job.files());
    Map<String, String> errors = CollectionConverters.asScala(job.fileErrors());
    SandboxResult result = job.result().orElse(null);
    if (result == null) {
      String error = job.failure().map(Exception::getMessage).orElse("");
      String[] none = {};
      return RowFactory.create(
          job.id(),
          program.host(),
          "error",
          null,
          none,
          null,
          null,
          false,
          "",
          "",
          0L,
          0L,
          null,
          null,
          null,
          null,
          null,
          files,
          errors,
          error);
    }
    Outcome outcome = result.outcome();
    return RowFactory.create(
        job.id(),
        program.host(),
        outcome.wireName(),
        outcome instanceof Outcome.LimitExceeded(Limit limit) ? limit.wireName() : null,
        result.limitsHit().stream().map(Limit::wireName).toArray(String[]::new),
        result.exitCode(),
        outcome instanceof Outcome.Signaled(int signal) ? signal : null,
        result.timedOut(),
        result.stdout(),
        result.stderr(),
        result.stdoutTotalBytes(),
        result.stderrTotalBytes(),
        seconds(result.usage().wall()),
        seconds(result.usage().setup()),
        result.usage().cpu().map(ResultRow::seconds).orElse(null),
        peak(result),
        job.backend().map(backend -> backend.wireName()).orElse(null),
        files,
        errors,
        null);
  }

  private static @Nullable Long peak(SandboxResult result) {
    return result.usage().peakMemory().isPresent() ? result.usage().peakMemory().getAsLong() : null;
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
