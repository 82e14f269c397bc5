package io.zett.sandbox.spark;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.batch.Job;
import java.nio.charset.StandardCharsets;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Grades the Python programs of a folder of JSON Lines: {"id": …, "program": …, "input": …}. */
public final class Grading {
  private Grading() {}

  static Dataset<Row> grade(SparkSession spark, String folder, int partitions) {
    SandboxPolicy policy = SandboxPolicy.builder().memory("256MB").cpuSeconds(10).build();
    Dataset<JobSpec> jobs =
        spark
            .read()
            .json(folder)
            .repartition(partitions)
            .map((MapFunction<Row, JobSpec>) Grading::job, JobSpec.encoder())
            .persist(); // their ids are looked at first
    return SandboxedPrograms.under(policy).run(jobs).select("id", "outcome", "exitCode", "stdout");
  }

  private static JobSpec job(Row row) {
    String id = row.getAs("id");
    String program = row.getAs("program");
    String input = row.getAs("input");
    return JobSpec.of(
        Job.of(id, SandboxCommand.of("python3", "main.py").input(input))
            .file("main.py", program.getBytes(StandardCharsets.UTF_8)));
  }
}
