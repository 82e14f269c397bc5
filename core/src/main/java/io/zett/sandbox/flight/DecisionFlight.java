package io.zett.sandbox.flight;

import io.zett.sandbox.SandboxBackend;

/** The choice of a backend, as it is told. Confined to the thread that chooses. */
public interface DecisionFlight {
  /** Nobody records. */
  DecisionFlight UNRECORDED =
      new DecisionFlight() {
        @Override
        public boolean isRecorded() {
          return false;
        }

        @Override
        public void chosen(SandboxBackend backend, String launcher, String version) {}

        @Override
        public void refused(SandboxBackend backend, String reason) {}
      };

  /** Whether anybody wants to hear; what is told need not be gathered otherwise. */
  boolean isRecorded();

  /**
   * This one is used.
   *
   * @param launcher the program that builds its sandboxes; empty when it needs none
   * @param version what that program says of itself; empty likewise
   */
  void chosen(SandboxBackend backend, String launcher, String version);

  /** This one was wanted and cannot be had. */
  void refused(SandboxBackend backend, String reason);
}
