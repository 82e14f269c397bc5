package io.zett.sandbox.benchmarks;

import io.zett.sandbox.SandboxPolicy;
import java.io.IOException;
import java.util.Optional;

/** The default policy with more masks than it has on this machine, and with fewer. */
final class Masks implements AutoCloseable {
  static final int MORE = 40;

  private final Settings settings;
  private final Scratch scratch;

  Masks(Settings settings) throws IOException {
    this.settings = settings;
    this.scratch = new Scratch(settings);
  }

  static SandboxPolicy byDefault() {
    return SandboxPolicy.builder().build();
  }

  /** Forty further files are hidden; empty where commands would not see them anyway. */
  Optional<SandboxPolicy> more() throws IOException {
    SandboxPolicy policy =
        byDefault().toBuilder().denyRead(Scratch.fill(scratch.path(), MORE)).build();
    return mounts(policy) < mounts(byDefault()) + MORE ? Optional.empty() : Optional.of(policy);
  }

  /** All that the list of credentials hides on this machine is given back. */
  SandboxPolicy none() throws IOException {
    try (Bubblewrap bubblewrap = new Bubblewrap(settings, byDefault())) {
      return byDefault().toBuilder().allowRead(bubblewrap.credentials()).build();
    }
  }

  private long mounts(SandboxPolicy policy) throws IOException {
    try (Bubblewrap bubblewrap = new Bubblewrap(settings, policy)) {
      return bubblewrap.mounts();
    }
  }

  @Override
  public void close() throws IOException {
    scratch.close();
  }
}
