/**
 * What JDK Flight Recorder is told. Everything else works in a run-time image without the module
 * {@code jdk.jfr}; the classes here that need it are not loaded before somebody records.
 */
@NullMarked
package io.zett.sandbox.flight;

import org.jspecify.annotations.NullMarked;
