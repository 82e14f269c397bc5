package io.zett.sandbox.rules;

/** What commands may do with a path. */
public enum Access {
  /** Read and write. */
  WRITE,
  /** Read only. */
  READ,
  /** Neither. */
  HIDDEN
}
