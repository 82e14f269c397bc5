package io.zett.sandbox.process;

/** Why a command is ended from outside; the first reason counts. */
public enum EndReason {
  /** Its caller wants it no more. */
  CANCELED,
  /** It went beyond a limit that is watched from outside. */
  LIMIT,
  /** Its sandbox is closing. */
  CLOSED,
  /** Something it relies on was changed under it. */
  VIOLATED
}
