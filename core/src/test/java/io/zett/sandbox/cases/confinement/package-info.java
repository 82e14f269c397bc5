/** What commands cannot reach, change, learn or leave behind; each class is one kind of attack. */
@NullMarked
package io.zett.sandbox.cases.confinement;

import org.jspecify.annotations.NullMarked;
