package io.zett.sandbox.flight;

import io.zett.sandbox.SandboxResult;

/** One command, as it is told. For one thread at a time. */
public interface CommandFlight {
  /** Nobody records. */
  CommandFlight UNRECORDED =
      new CommandFlight() {
        @Override
        public void admitted() {}

        @Override
        public void startedAhead() {}

        @Override
        public void ended(SandboxResult result) {}

        @Override
        public void failed(Throwable failure) {}
      };

  /** Its turn has come. */
  void admitted();

  /** It runs in a sandbox that waited for it. */
  void startedAhead();

  /** It has a result. */
  void ended(SandboxResult result);

  /** It was canceled, or could not be run. */
  void failed(Throwable failure);
}
