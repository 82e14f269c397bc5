/**
 * Runs many untrusted programs on the executors of Apache Spark: {@link
 * io.zett.sandbox.spark.SandboxedPrograms} gives a {@link io.zett.sandbox.spark.ProgramResult} for
 * each {@link io.zett.sandbox.spark.JobSpec}, whatever it does.
 */
@org.jspecify.annotations.NullMarked
package io.zett.sandbox.spark;
