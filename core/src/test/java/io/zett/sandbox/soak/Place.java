package io.zett.sandbox.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxSession;
import java.nio.file.Path;

/** Where a session is; closed now and then, whatever runs in it, and replaced by another. */
final class Place {
  private final SessionKind kind;
  private final Path given;
  private volatile Tenancy tenancy;

  /** A session, and whether it may end what runs in it. */
  static final class Tenancy {
    final SandboxSession session;
    final Path workspace;
    private volatile boolean isClosing;

    private Tenancy(SandboxSession session) {
      this.session = session;
      this.workspace = session.workspace();
    }

    /** Whether closing has begun. */
    boolean isClosing() {
      return isClosing;
    }
  }

  /** Opens the first; the directory is the workspace where the caller supplies it. */
  Place(SessionKind kind, Path given) {
    this.kind = kind;
    this.given = given;
    tenancy = new Tenancy(kind.open(given));
  }

  SessionKind kind() {
    return kind;
  }

  /** The session of now. */
  Tenancy tenancy() {
    return tenancy;
  }

  /** Closes the session and opens another. */
  synchronized void renew() {
    close();
    tenancy = new Tenancy(kind.open(given));
  }

  /** Closes the session; a private workspace is gone, another one is not. */
  synchronized void close() {
    tenancy.isClosing = true;
    tenancy.session.close();
    if (kind.isPrivate()) {
      assertThat(tenancy.workspace.getParent()).doesNotExist();
    } else {
      assertThat(given).isDirectory();
      assertThat(given.resolve("missing")).doesNotExist();
      assertThat(given.resolve("secret")).doesNotExist();
    }
  }
}
