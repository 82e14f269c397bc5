/**
 * Random trees under random policies, and an attacker who exchanges directories all the time. Both
 * are seeded and bounded: {@code -Dzett.fuzz.seconds=N} gives them longer, {@code
 * -Dzett.fuzz.seed=N} repeats a run.
 */
@NullMarked
package io.zett.sandbox.fuzz;

import org.jspecify.annotations.NullMarked;
