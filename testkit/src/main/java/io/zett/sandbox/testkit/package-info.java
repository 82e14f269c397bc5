/**
 * Attacks that every sandbox of this library must withstand, for whoever changes a backend or
 * brings one: give {@link io.zett.sandbox.testkit.AttackSuite} a way to open a session, and look at
 * what it found.
 */
@NullMarked
package io.zett.sandbox.testkit;

import org.jspecify.annotations.NullMarked;
