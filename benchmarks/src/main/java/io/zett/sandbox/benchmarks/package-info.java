/**
 * What commands cost, each figure beside that of a baseline from the same run: {@code ./bench}.
 *
 * <p>Times of different days cannot be compared, and those of a busy machine less so. Hence each
 * measurement alternates with one of its baseline, and only ratios are claimed.
 */
@NullMarked
package io.zett.sandbox.benchmarks;

import org.jspecify.annotations.NullMarked;
