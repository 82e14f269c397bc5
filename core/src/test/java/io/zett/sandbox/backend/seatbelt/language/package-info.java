/**
 * The profile language of Seatbelt as public descriptions have it, evaluated: what the tests have
 * in place of a Mac.
 */
@NullMarked
package io.zett.sandbox.backend.seatbelt.language;

import org.jspecify.annotations.NullMarked;
