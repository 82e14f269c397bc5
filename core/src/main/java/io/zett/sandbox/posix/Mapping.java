package io.zett.sandbox.posix;

/**
 * A descriptor that a spawned program gets.
 *
 * @param source the caller's descriptor
 * @param target its number in the child, 0 to 63
 */
public record Mapping(int source, int target) {

  /** The largest target and one more: sources below are moved out of the way first. */
  public static final int RESERVED = 64;

  public Mapping {
    if (source < 0 || target < 0 || target >= RESERVED) {
      throw new IllegalArgumentException("mapping of " + source + " to " + target);
    }
  }
}
