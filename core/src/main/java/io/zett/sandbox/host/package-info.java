/**
 * What is on this disk right now: links resolved component by component, missing paths, homes,
 * listening sockets, which launchers exist; and the check of a finished sandbox against it.
 */
@NullMarked
package io.zett.sandbox.host;

import org.jspecify.annotations.NullMarked;
