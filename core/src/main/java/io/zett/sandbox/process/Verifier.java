package io.zett.sandbox.process;

/** Looks at a sandbox that is built, before anything of the command's may run in it. */
@FunctionalInterface
public interface Verifier {

  /** Finds nothing wrong. */
  Verifier NONE =
      new Verifier() {
        @Override
        public void verify(int pid) {}

        @Override
        public boolean isCheap() {
          return true;
        }
      };

  /**
   * Checks the sandbox of a process; that process waits meanwhile and cannot be another's.
   *
   * @param pid zett-init, in the caller's namespace
   * @throws SetupFailure if the command must not run there
   */
  void verify(int pid);

  /** Whether it never waits for a disk or another process, so that it may run on the loop. */
  default boolean isCheap() {
    return false;
  }

  /** All of the sandbox is dead; on the loop's thread, before anybody is told how it ended. */
  default void ended() {}
}
