/** The backend that isolates nothing: where a platform has no sandbox, or on request. */
@NullMarked
package io.zett.sandbox.backend.passthrough;

import org.jspecify.annotations.NullMarked;
