package io.zett.sandbox.testkit;

/** How an attack shows that it would work without a sandbox. */
public sealed interface Proof {

  /** The attempt itself is harmless and is run on the host, in a copy of the scene. */
  record Same() implements Proof {}

  /**
   * A harmless form stands for it.
   *
   * @param script a shell text that exits with 0 when the attempt would work
   */
  record By(String script) implements Proof {}

  /**
   * It is not shown.
   *
   * @param reason why
   */
  record None(String reason) implements Proof {}
}
