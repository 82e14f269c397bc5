package io.zett.sandbox.spark;

import io.zett.sandbox.SandboxPolicy;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import scala.Tuple2;

/**
 * Many programs under one policy, on the executors of a Spark application. Every job has exactly
 * one result, whatever it does; no job fails a task. The jobs of a partition run one after another,
 * as many partitions at once as there are cores.
 *
 * <p>Results come out of the partitions as Spark takes them, so a task that is retried or runs
 * twice gives each only once; it may have run its programs more often. An RDD that is used twice
 * runs them twice unless it is persisted. Immutable, and thread-safe as its Spark context is.
 */
public final class SandboxedPrograms {
  private final PolicySpec policy;

  private SandboxedPrograms(PolicySpec policy) {
    this.policy = policy;
  }

  /**
   * Programs under a policy.
   *
   * @param policy its limits are those of a job that has none of its own; its paths mean those of
   *     each executor's machine
   */
  public static SandboxedPrograms under(SandboxPolicy policy) {
    return new SandboxedPrograms(PolicySpec.of(policy));
  }

  /**
   * A result for each job, in the jobs' partitions and order. The jobs' ids are looked at now, the
   * programs run when the results are wanted.
   *
   * @param jobs evaluated twice: for their ids, and to run
   * @throws IllegalArgumentException if two have the same id
   */
  public JavaRDD<ProgramResult> run(JavaRDD<JobSpec> jobs) {
    refuseSameIds(jobs);
    PolicySpec spec = policy;
    return jobs.mapPartitions(each -> ExecutorPool.of(spec).results(each), true);
  }

  /**
   * A row for each job, in the jobs' partitions and order: {@code id}, {@code host}, and the keys
   * of {@code zett run --json} as columns, the output as text; {@code files} as bytes, {@code
   * fileErrors}; {@code error} says why a job could not be run. The jobs' ids are looked at now,
   * the programs run when the rows are wanted.
   *
   * @param jobs evaluated twice: for their ids, and to run; {@link JobSpec#encoder()} is for them
   * @throws IllegalArgumentException if two have the same id
   */
  public Dataset<Row> run(Dataset<JobSpec> jobs) {
    JavaRDD<Row> rows = run(jobs.javaRDD()).map(ResultRow::of);
    return jobs.sparkSession().createDataFrame(rows, ResultRow.SCHEMA);
  }

  private static void refuseSameIds(JavaRDD<JobSpec> jobs) {
    List<String> twice =
        jobs.mapToPair(job -> new Tuple2<>(job.id(), 1))
            .reduceByKey(Integer::sum)
            .filter(count -> count._2() > 1)
            .keys()
            .take(1);
    if (!twice.isEmpty()) {
      throw new IllegalArgumentException(
          "id: \""
              + twice.getFirst()
              + "\" is that of an earlier job; each job has one of its own");
    }
  }
}
