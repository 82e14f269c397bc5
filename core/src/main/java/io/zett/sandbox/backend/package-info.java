/** The seam between a policy and what the operating system offers to enforce it. */
@NullMarked
package io.zett.sandbox.backend;

import org.jspecify.annotations.NullMarked;
