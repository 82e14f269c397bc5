package io.zett.sandbox.flight;

import io.zett.sandbox.ResourceReport;

/** The opening of one session, as it is told. Confined to the thread that opens it. */
public interface OpeningFlight {
  /** Nobody records. */
  OpeningFlight UNRECORDED =
      new OpeningFlight() {
        @Override
        public void opened(ResourceReport report, boolean privateWorkspace) {}

        @Override
        public void failed(RuntimeException failure) {}
      };

  /** It is open; this is what it enforces. */
  void opened(ResourceReport report, boolean privateWorkspace);

  /** It could not be opened. */
  void failed(RuntimeException failure);
}
