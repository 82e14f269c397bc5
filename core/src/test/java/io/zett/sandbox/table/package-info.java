/**
 * One table of what policies allow, kept by attacks in a real sandbox and by the rules of the one
 * that cannot be run here.
 */
@NullMarked
package io.zett.sandbox.table;

import org.jspecify.annotations.NullMarked;
