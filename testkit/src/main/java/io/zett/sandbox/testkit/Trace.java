package io.zett.sandbox.testkit;

/** What shows on the host that an attack worked, beside its own exit status. */
enum Trace {
  /** Nothing: the exit status is all. */
  STATUS,
  /** A process that bears the attack's mark. */
  PROCESS,
  /** Anything outside the workspace that is not as it was. */
  OUTSIDE,
  /** What must stay in the workspace, and does not. */
  KEPT,
  /** The host's process that commands were told to end. */
  VICTIM,
  /** A set-id file in the workspace. */
  SET_ID
}
