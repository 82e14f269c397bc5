/**
 * What only shows after many commands: mixed load for a while, a JVM that is killed again and
 * again, and ends that race each other. Short by default; {@code ./check --soak} sets
 *
 * <ul>
 *   <li>{@code zett.soak.seconds}: how long the mixed load lasts, 20 by default
 *   <li>{@code zett.soak.kills}: how often a JVM is killed, 8 by default
 *   <li>{@code zett.soak.races}: how many commands race, 1000 by default
 *   <li>{@code zett.soak.seed}: the seed of a run that is to be repeated
 * </ul>
 */
@NullMarked
package io.zett.sandbox.soak;

import org.jspecify.annotations.NullMarked;
