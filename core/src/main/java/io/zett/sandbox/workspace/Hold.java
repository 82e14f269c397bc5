package io.zett.sandbox.workspace;

/** How one attempt to hold a placeholder ended. */
sealed interface Hold {

  /** It is there and stays while {@code lock} is open; {@code scheme} takes it away again. */
  record Held(PlaceholderScheme scheme, int lock) implements Hold {}

  /** Something real has this name. */
  record Real() implements Hold {}

  /** Somebody else is making it or taking it away at this moment. */
  record Contended() implements Hold {}
}
