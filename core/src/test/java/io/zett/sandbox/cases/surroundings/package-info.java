/**
 * Containers and machines unlike this one, made of namespaces of the test's own: each lets a
 * sandbox work, or opening fails with the mend.
 */
@NullMarked
package io.zett.sandbox.cases.surroundings;

import org.jspecify.annotations.NullMarked;
