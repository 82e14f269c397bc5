package io.zett.sandbox.soak;

import io.zett.sandbox.SandboxSession;
import java.nio.file.Path;

/** The sessions that commands run in. */
enum SessionKind {
  /** With a private workspace. */
  PRIVATE,
  /** In which commands wait for their turn. */
  NARROW,
  /** With a workspace of the caller's. */
  GIVEN,
  /** With limits. */
  LIMITED,
  /** With a workspace of the caller's in which much is denied, some of it missing. */
  DENIED;

  /** Opens one; it refuses to run anything without a sandbox. */
  SandboxSession open(Path given) {
    SandboxSession.Builder builder = SandboxSession.builder().requireIsolation(true);
    switch (this) {
      case PRIVATE -> {}
      case NARROW -> builder.maxConcurrent(3);
      case GIVEN -> builder.workspace(given);
      case LIMITED ->
          builder
              .memory("96MB")
              .processes(24)
              .cpuSeconds(60)
              .maxFileSize("64MB")
              .openFiles(256)
              .scratchSize("64MB");
      case DENIED ->
          builder
              .workspace(given)
              .denyWrite(given.resolve("missing"))
              .denyRead(given.resolve("secret"))
              .protectDeveloperFiles();
    }
    return builder.open();
  }

  boolean isPrivate() {
    return this != GIVEN && this != DENIED;
  }

  boolean isLimited() {
    return this == LIMITED;
  }
}
