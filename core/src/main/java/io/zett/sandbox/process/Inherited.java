package io.zett.sandbox.process;

import io.zett.sandbox.posix.LaunchDescriptors;
import io.zett.sandbox.posix.Posix;
import java.util.List;

/**
 * A descriptor that the launcher gets beside the usual ones.
 *
 * @param source the caller's descriptor
 * @param target its number in the child, see {@link LaunchDescriptors}
 * @param owned whether the supervisor closes {@code source}, as soon as the launcher has it or when
 *     it never will
 */
public record Inherited(int source, int target, boolean owned) {

  static void closeOwned(List<Inherited> all, Posix posix) {
    for (Inherited inherited : all) {
      if (inherited.owned()) {
        posix.close(inherited.source());
      }
    }
  }
}
