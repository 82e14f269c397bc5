/**
 * Runs many untrusted programs: a {@link io.zett.sandbox.batch.Job} each, a {@link
 * io.zett.sandbox.batch.JobResult} for each, whatever it does.
 */
@org.jspecify.annotations.NullMarked
package io.zett.sandbox.batch;
